import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { derived, fixed, IdempotencyPolicy } from "../policies/IdempotencyPolicy.ts"
import { keyRule } from "../call/IdempotencyKey.ts"

/**
 * Adds a separate key to each of several calls when the caller fixed one key for all of them; otherwise the service would
 * return the first call's response to the second. The first call has the caller's key. A key that cannot be sent is left
 * unchanged, so that every call rejects it.
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
