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
import { checked, count, duration, millisecondsOf, number, only, type Parts, truth, wait, whole } from "./Rules.ts"

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

const tokens = /* @__PURE__ */ number((value) => value >= 0, "must be a number of at least 0")

const quotaParts: Parts<keyof RetryQuota> = { capacity: tokens, cost: tokens, rateLimitedCost: tokens, refund: tokens }

/** The rules of the settings of one call. @internal */
export const parts: Parts<Exclude<keyof RetryPolicy, "quota">> = {
  maxRetries: /* @__PURE__ */ count(),
  baseDelayMs: wait,
  maxDelayMs: wait,
  honourRetryAfter: truth
}

/** @internal */
export const isPolicy = /* @__PURE__ */ whole({ ...parts, quota: /* @__PURE__ */ whole(quotaParts) })

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
  const delay = duration((milliseconds) => milliseconds >= 0, "must be a duration of at least 0")
  const { honourRetryAfter, maxRetries } = parts
  const rules = { maxRetries, baseDelay: delay, maxDelay: delay, honourRetryAfter, quota: only(quotaParts) }
  const {
    baseDelay = standard.baseDelayMs,
    maxDelay = standard.maxDelayMs,
    quota = {},
    ...rest
  } = checked(options, only(rules), "RetryPolicy")
  return {
    ...standard,
    ...defined(rest),
    baseDelayMs: millisecondsOf(baseDelay),
    maxDelayMs: millisecondsOf(maxDelay),
    quota: { ...standard.quota, ...defined(quota) }
  }
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
  Layer.succeed(RetryPolicy, checked(policy, isPolicy, "RetryPolicy"))
