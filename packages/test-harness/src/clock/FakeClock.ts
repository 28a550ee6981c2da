/**
 * The time of an environment: it dates records and answers, moves jobs on, and measures latency, rate windows and how
 * long answers are kept for their keys.
 */
import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** A source of time. */
export interface FakeClock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Calls back after so many milliseconds of this clock; gives the function that cancels. */
  readonly schedule: (millis: number, callback: () => void) => () => void
}

/** The time of the machine. */
export const realClock: FakeClock = {
  now: () => Date.now(),
  schedule: (millis, callback) => {
    const timer = setTimeout(callback, millis)
    return () => clearTimeout(timer)
  }
}

/**
 * A clock of Effect, for example a `TestClock`, as the time of an environment. What is due runs in the given context: a
 * `TestClock` waits only for what runs on the scheduler that came with it.
 */
export const fromEffect = (clock: Clock.Clock, context: Context.Context<never> = Context.empty()): FakeClock => ({
  now: () => clock.currentTimeMillisUnsafe(),
  schedule: (millis, callback) => {
    const interrupt = Effect.runCallbackWith(context)(clock.sleep(Duration.millis(millis)), {
      onExit: ({ _tag }) => {
        if (_tag === "Success") callback()
      }
    })
    return () => interrupt()
  }
})

/** A clock that is so many milliseconds ahead of another one. */
export const ahead = (clock: FakeClock, millis: number): FakeClock => ({
  now: () => clock.now() + millis,
  schedule: clock.schedule
})
