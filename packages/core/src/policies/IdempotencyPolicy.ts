/**
 * Which idempotency key a call sends, and whether the service honours keys.
 *
 * The API document lists the header but does not define its effect. Calls are applied exactly once only if the service
 * honours keys.
 *
 * **When to use**: to declare that the service honours keys, or to derive keys that survive a restart of the process.
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { checked, count, required, truth, whole } from "./Rules.ts"

/** Where the key of a call comes from. */
export type IdempotencyKeySource =
  | { readonly _tag: "random" }
  | { readonly _tag: "derived"; readonly scope: string; readonly generation: number }
  | { readonly _tag: "fixed"; readonly key: string }
  | { readonly _tag: "off" }

/** Which idempotency key a call sends, and whether the service honours keys. */
export interface IdempotencyPolicy {
  /** Where the key of a call comes from. */
  readonly source: IdempotencyKeySource
  /** Whether the service responds to a repeated key without applying the request again. */
  readonly serviceHonoursKeys: boolean
}

const isSource = (value: unknown): boolean => {
  const { _tag, generation, key, scope } = Object(value)
  if (_tag === "derived") return typeof scope === "string" && count()(generation ?? null, "") === undefined
  return _tag === "fixed" ? typeof key === "string" : _tag === "random" || _tag === "off"
}

/** @internal */
export const isPolicy = /* @__PURE__ */ whole({
  source: /* @__PURE__ */ required(
    isSource,
    "must be that of random, off, fixed (a key) or derived (a scope, and a whole number as generation)"
  ),
  serviceHonoursKeys: truth
})

/** A new UUID (version 7) for each call; the default. */
export const random: IdempotencyPolicy = { source: { _tag: "random" }, serviceHonoursKeys: false }

/** No key. */
export const off: IdempotencyPolicy = { source: { _tag: "off" }, serviceHonoursKeys: false }

/** A fixed key, for one call only: 1 to 255 printable ASCII characters. */
export const fixed = (key: string): IdempotencyPolicy => ({ source: { _tag: "fixed", key }, serviceHonoursKeys: false })

/**
 * A key that is the same for the same request in the same scope, also after a restart of the process: SHA-256 over
 * method, path, body, scope and generation.
 *
 * **When to use**: work that resumes after a crash; the scope identifies the work, such as the
 * id of a job in a queue. A service may keep the response of a key for a day, failures included: retry a definite
 * failure with the next generation.
 *
 * **Gotchas**: a service may keep keys for a whole organization. Where several environments run the same work, name the
 * environment in the scope; otherwise the second one gets the response of the first, and nothing is applied.
 *
 * @example
 * ```ts
 * import * as IdempotencyPolicy from "@signalbox/core/IdempotencyPolicy"
 *
 * const policy = IdempotencyPolicy.derived("job-81")
 * const afterAFailure = IdempotencyPolicy.derived("job-81", 1)
 * ```
 */
export const derived = (scope: string, generation = 0): IdempotencyPolicy => ({
  source: { _tag: "derived", scope, generation },
  serviceHonoursKeys: false
})

/**
 * The same policy for a service that honours keys: a write with an unknown outcome may then be retried.
 *
 * @example
 * ```ts
 * import * as IdempotencyPolicy from "@signalbox/core/IdempotencyPolicy"
 *
 * const policy = IdempotencyPolicy.layer(IdempotencyPolicy.serviceHonoursKeys(IdempotencyPolicy.random))
 * ```
 */
export const serviceHonoursKeys = (policy: IdempotencyPolicy): IdempotencyPolicy => ({
  ...policy,
  serviceHonoursKeys: true
})

/** The policy in effect: provided to a call, or when the service was built; {@link random} by default. */
export const IdempotencyPolicy = Context.Reference<IdempotencyPolicy>("signalbox/core/IdempotencyPolicy", {
  defaultValue: () => random
})

/** Sets the policy for everything that this layer is provided to or merged with; throws a `RangeError` for an invalid one. */
export const layer = (policy: IdempotencyPolicy): Layer.Layer<never> =>
  Layer.succeed(IdempotencyPolicy, checked(policy, isPolicy, "IdempotencyPolicy"))
