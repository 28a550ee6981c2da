import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { startTimer } from "./CallClock.ts"

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
