// The live clock of Effect is a timer of the platform.
// @effect-diagnostics globalTimers:off
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/** The clock of programs that provide none. */
const liveClock = /* @__PURE__ */ Context.get(/* @__PURE__ */ Context.empty(), Clock.Clock)

// A longer timer of the platform would end at once.
const longestTimer = 2 ** 31 - 1

/** Calls back after some milliseconds of the clock, and returns how to cancel that. */
export const startTimer = (context: Context.Context<never>, milliseconds: number, onTime: () => void): (() => void) => {
  const clock = Context.get(context, Clock.Clock)
  if (clock === liveClock && milliseconds <= longestTimer) {
    // A fiber only for the timer would be a tenth of the processor time of a call.
    const timer = setTimeout(onTime, milliseconds)
    return () => clearTimeout(timer)
  }
  const fiber = Effect.runForkWith(context)(clock.sleep(Duration.millis(milliseconds)))
  const forget = fiber.addObserver(onTime)
  return () => {
    forget()
    fiber.interruptUnsafe()
  }
}

/**
 * Runs an effect for a limited time: after it the effect is interrupted, and `onTime` runs instead.
 *
 * Does what `Effect.timeoutOrElse` does, with one fiber instead of three: every call has this limit.
 */
export const limited = <A, E, B, E2>(
  effect: Effect.Effect<A, E>,
  milliseconds: number,
  onTime: () => Effect.Effect<B, E2>
): Effect.Effect<A | B, E | E2> => {
  if (milliseconds === Infinity) return effect
  return Effect.contextWith((context: Context.Context<never>) =>
    Effect.callback<A | B, E | E2>((resume) => {
      const fiber = Effect.runForkWith(context)(effect)
      const exit = fiber.pollUnsafe()
      if (exit !== undefined) return resume(exit)
      let cancel = () => {}
      const forget = fiber.addObserver((ended) => {
        cancel()
        resume(ended)
      })
      cancel = startTimer(context, milliseconds, () => {
        forget()
        resume(Effect.flatMap(Fiber.interrupt(fiber), onTime))
      })
      return Effect.suspend(() => {
        cancel()
        return Fiber.interrupt(fiber)
      })
    })
  )
}
