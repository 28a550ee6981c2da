/**
 * The clock of the service: it runs on the virtual time of its clients, with an offset.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { FakeClock } from "@signalbox/test-harness"

/** A clock that is `ahead` milliseconds ahead of the current one. */
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
