import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { derived, fixed, IdempotencyPolicy } from "../policies/IdempotencyPolicy.ts"
import { keyRule } from "../call/IdempotencyKey.ts"

/**
 * Gives one call of several a key of its own where the caller fixed one for all of them: the service would answer the
 * second call with the answer of the first. The first has the caller's key, or all have one that cannot be sent.
 */
export const withPartKey = <A, E, R>(effect: Effect.Effect<A, E, R>, part: number): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const policy = Context.getOrUndefined(fiber.context, IdempotencyPolicy)
    if (part === 0 || policy?.source._tag !== "fixed" || keyRule(policy.source.key) !== undefined) return effect
    const key = `${policy.source.key}/${part}`
    const own = keyRule(key) === undefined ? fixed(key) : derived(key)
    const { serviceHonoursKeys } = policy
    return Effect.provideService(effect, IdempotencyPolicy, { ...own, serviceHonoursKeys })
  })
