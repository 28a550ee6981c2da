// Effect's live clock is a timer of the platform, too.
// @effect-diagnostics globalDate:off
// @effect-diagnostics globalTimers:off
// @effect-diagnostics globalTimersInEffect:off
import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** The part of a clock that calls use. */
export interface CallClock extends Pick<
  Clock.Clock,
  "currentTimeMillisUnsafe" | "currentTimeNanosUnsafe" | "monotonicTimeNanosUnsafe"
> {
  /** Clocks accept milliseconds like every duration. The timers of the platform are used when absent. */
  sleep?(milliseconds: number): Effect.Effect<void>
}

const nanosOf = (milliseconds: number): bigint => BigInt(Math.round(milliseconds * 1e6))

const makeLiveClock = (): CallClock => {
  let origin = Number.NaN
  return {
    currentTimeMillisUnsafe: () => Date.now(),
    // More precise than the wall clock, and follows it when it is set.
    currentTimeNanosUnsafe: () => {
      const monotonic = performance.now()
      const now = Date.now() - monotonic
      if (!(Math.abs(now - origin) < 1000)) origin = now
      return nanosOf(origin + monotonic)
    },
    monotonicTimeNanosUnsafe: () => nanosOf(performance.now())
  }
}

/**
 * The clock of a program: Effect's `Clock`, where the program provides one. This reference has the same key and another
 * default: Effect's needs its code for durations of all units, which would be a twentieth of the Promise client.
 */
export const CallClock = Context.Reference<CallClock>("effect/Clock", { defaultValue: makeLiveClock })

// A longer timer of the platform would end at once.
const longestTimer = 2 ** 31 - 1

/** Calls back after some milliseconds of the clock, and returns how to cancel that. */
export const startTimer = (context: Context.Context<never>, milliseconds: number, onTime: () => void): (() => void) => {
  const clock = Context.get(context, CallClock)
  if (clock.sleep !== undefined) {
    const fiber = Effect.runForkWith(context)(clock.sleep(milliseconds))
    const forget = fiber.addObserver(onTime)
    return () => {
      forget()
      fiber.interruptUnsafe()
    }
  }
  // A fiber only for the timer would be a tenth of the processor time of a call.
  let timer: ReturnType<typeof setTimeout>
  const wait = (left: number) => {
    timer = setTimeout(left > longestTimer ? () => wait(left - longestTimer) : onTime, Math.min(left, longestTimer))
  }
  wait(milliseconds)
  return () => clearTimeout(timer)
}

/** Waits for some milliseconds of the clock. */
export const pause = (milliseconds: number): Effect.Effect<void> =>
  Effect.contextWith((context: Context.Context<never>) =>
    Effect.callback((resume) => {
      const cancel = startTimer(context, milliseconds, () => resume(Effect.void))
      return Effect.sync(cancel)
    })
  )
