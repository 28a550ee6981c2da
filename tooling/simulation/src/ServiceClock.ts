/**
 * The clock of the service, where it does not agree with that of its clients.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { FakeClock } from "@signalbox/test-harness"

/** A clock that goes like the caller's, and shows so many milliseconds more. */
export const serviceClock = (ahead: number): Effect.Effect<FakeClock> =>
  Effect.contextWith((context) =>
    Effect.map(Clock.Clock, (clock): FakeClock => ({
      now: () => clock.currentTimeMillisUnsafe() + ahead,
      schedule: (millis, callback) => {
        const interrupt = Effect.runCallbackWith(context)(clock.sleep(Duration.millis(millis)), {
          onExit: ({ _tag }) => {
            if (_tag === "Success") callback()
          }
        })
        return () => interrupt()
      }
    }))
  )
