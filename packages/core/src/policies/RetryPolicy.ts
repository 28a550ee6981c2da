/**
 * How often and how fast a call is retried. Whether a failure may be retried at all depends on its delivery, not on this
 * policy.
 *
 * **When to use**: for more retries in background work, or no retries where a user waits.
 */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Layer from "effect/Layer"
import { defined } from "../errors/Defined.ts"
import { amount, checked, count, fields, known, milliseconds, truth, wait } from "./PolicyRules.ts"

/** A limit that all calls of one client share, so that retries do not worsen an outage. */
export interface RetryQuota {
  /** Tokens of a full quota. */
  readonly capacity: number
  /** Tokens that a retry takes. */
  readonly cost: number
  /** Tokens that a retry after 429 takes. */
  readonly rateLimitedCost: number
  /** Tokens that a successful call gives back. */
  readonly refund: number
}

/** How often and how fast a call is retried. */
export interface RetryPolicy {
  /** Maximum number of retries of one call; a call makes at most one attempt more. */
  readonly maxRetries: number
  /** Upper bound of the first delay in milliseconds; it doubles with each retry. Each delay is random below its bound. */
  readonly baseDelayMs: number
  /** Upper bound of every delay in milliseconds, except for waits that the service asks for. */
  readonly maxDelayMs: number
  /** Whether `Retry-After` and `RateLimit-Reset` set the minimum delay. */
  readonly honourRetryAfter: boolean
  /** The retry quota that all calls of one client share. */
  readonly quota: RetryQuota
}

/** Settings that differ from the default policy. */
export interface RetryPolicyOptions {
  /** Maximum number of retries of one call; 2 when absent. */
  readonly maxRetries?: number | undefined
  /** Upper bound of the first delay; 200 ms when absent. */
  readonly baseDelay?: Duration.Input | undefined
  /** Upper bound of every delay; 8 s when absent. */
  readonly maxDelay?: Duration.Input | undefined
  /** Whether `Retry-After` and `RateLimit-Reset` set the minimum delay; true when absent. */
  readonly honourRetryAfter?: boolean | undefined
  /** The retry quota that all calls of one client share. */
  readonly quota?: { readonly [Name in keyof RetryQuota]?: RetryQuota[Name] | undefined } | undefined
}

const standard: RetryPolicy = {
  maxRetries: 2,
  baseDelayMs: 200,
  maxDelayMs: 8000,
  honourRetryAfter: true,
  quota: { capacity: 500, cost: 14, rateLimitedCost: 5, refund: 1 }
}

export {
  /** At most 2 retries, full jitter on 200 ms doubled up to 8 s, a quota of 500 tokens. */
  standard as default
}

/** The rules of a policy. @internal */
export const isPolicy = /* @__PURE__ */ fields<RetryPolicy>({
  maxRetries: /* @__PURE__ */ count(),
  baseDelayMs: wait,
  maxDelayMs: wait,
  honourRetryAfter: truth,
  quota: /* @__PURE__ */ fields<RetryQuota>({ capacity: amount, cost: amount, rateLimitedCost: amount, refund: amount })
})

/**
 * Makes a policy from the settings that differ from the default one. Throws a `RangeError` that names the setting and
 * its rule when a setting is unknown or has an invalid value.
 *
 * @example
 * ```ts
 * import * as RetryPolicy from "@signalbox/core/RetryPolicy"
 *
 * RetryPolicy.make({ maxRetries: 5, maxDelay: "2 seconds" }).maxDelayMs // => 2000
 * ```
 */
export const make = (options: RetryPolicyOptions): RetryPolicy => {
  known("RetryPolicy", options, ["maxRetries", "baseDelay", "maxDelay", "honourRetryAfter", "quota"])
  const { baseDelay = standard.baseDelayMs, maxDelay = standard.maxDelayMs, quota = {}, ...rest } = options
  known("RetryPolicy.quota", quota, Object.keys(standard.quota))
  return checked(isPolicy, "RetryPolicy", {
    ...standard,
    ...defined(rest),
    baseDelayMs: milliseconds(wait, "RetryPolicy.baseDelay", baseDelay),
    maxDelayMs: milliseconds(wait, "RetryPolicy.maxDelay", maxDelay),
    quota: { ...standard.quota, ...defined(quota) }
  })
}

/** Makes no retries. */
export const none: RetryPolicy = { ...standard, maxRetries: 0 }

/**
 * The policy in force: given at a call, or when the service was built, or the default.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Events } from "@signalbox/core/Events"
 * import * as RetryPolicy from "@signalbox/core/RetryPolicy"
 *
 * const once = Events.use((events) => events.list()).pipe(
 *   Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.none)
 * )
 * ```
 */
export const RetryPolicy = Context.Reference<RetryPolicy>("signalbox/core/RetryPolicy", {
  defaultValue: () => standard
})

/** Sets the policy for all layers that this layer is provided to or merged with; throws like {@link make}. */
export const layer = (policy: RetryPolicy): Layer.Layer<never> =>
  Layer.succeed(RetryPolicy, checked(isPolicy, "RetryPolicy", policy))
