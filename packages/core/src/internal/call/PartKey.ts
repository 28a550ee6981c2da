import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { fixed, IdempotencyPolicy } from "../../IdempotencyPolicy.ts"

/**
 * Gives one call of several a key of its own where the caller fixed one for all of them: the service would answer the
 * second call with the answer of the first.
 */
export const withPartKey = <A, E, R>(effect: Effect.Effect<A, E, R>, part: number): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const policy = Context.getOrUndefined(fiber.context, IdempotencyPolicy)
    if (policy?.source._tag !== "fixed") return effect
    const own = { ...fixed(`${policy.source.key}/${part}`), honoured: policy.honoured }
    return Effect.provideService(effect, IdempotencyPolicy, own)
  })
