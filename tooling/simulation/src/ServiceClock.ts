/**
 * The clock of the service: it goes with the virtual time of its clients, and need not agree with theirs.
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
