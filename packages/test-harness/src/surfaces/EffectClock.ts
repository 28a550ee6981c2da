import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { FakeClock } from "../clock/FakeClock.ts"

/**
 * A clock of Effect as the clock of an environment. Callbacks run in the given context: a `TestClock` waits only for
 * fibers on the scheduler that came with it.
 */
export const fromEffect = (clock: Clock.Clock, context: Context.Context<never> = Context.empty()): FakeClock => ({
  isStopped: true,
  now: () => clock.currentTimeMillisUnsafe(),
  schedule: (delayMs, callback) => {
    const interrupt = Effect.runCallbackWith(context)(clock.sleep(Duration.millis(delayMs)), {
      onExit: ({ _tag }) => {
        if (_tag === "Success") callback()
      }
    })
    return () => interrupt()
  }
})
