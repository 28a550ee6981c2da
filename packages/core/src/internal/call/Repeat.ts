import type { CallStateShape } from "../../CallState.ts"
import type { Reason } from "../../Reason.ts"
import type { RetryPolicy } from "../../RetryPolicy.ts"
import { waitInWords } from "./WaitInWords.ts"

const transientStatuses = new Set([408, 425, 500, 502, 503, 504])

/**
 * Whether a failure may be repeated.
 *
 * - `always`: the service has not done the work, or has said that it would not
 * - `when-harmless`: it is not known whether it did; doing it twice must be harmless
 * - `never`: another attempt would fail the same way, or do harm
 */
const repeatabilityOf = (reason: Reason): "always" | "when-harmless" | "never" => {
  switch (reason._tag) {
    case "TransportFailure":
      return reason.delivery === "not-sent" ? "always" : "when-harmless"
    case "Timeout":
      return reason.scope === "attempt" ? "when-harmless" : "never"
    case "RateLimited":
    case "RequestInFlight":
      return "always"
    case "ServerFailure":
      return !reason.replayed && transientStatuses.has(reason.status) ? "when-harmless" : "never"
    case "Rejected":
      return transientStatuses.has(reason.status) ? "when-harmless" : "never"
    default:
      return "never"
  }
}

/** Whether a failure leaves open that the service has done the work, or is about to. */
export const mayHaveArrived = (reason: Reason): boolean =>
  reason._tag === "RequestInFlight" || repeatabilityOf(reason) === "when-harmless"

/** A failed attempt, as far as another one depends on it. */
export interface FailedAttempt {
  readonly reason: Reason
  /** Counted from 1. */
  readonly number: number
  readonly now: number
  readonly deadline: number
  readonly retry: RetryPolicy
  readonly state: CallStateShape
  /** Between 0 and 1; decides how much of the delay is waited. */
  readonly random: () => number
  /** Why doing the work twice would do harm; `undefined` when it is harmless. */
  readonly harm: () => string | undefined
}

/**
 * How long to wait before the next attempt, in milliseconds; or why there is none, as a sentence for the caller that is
 * empty where the reason says it all.
 */
export const nextAttempt = (failed: FailedAttempt): number | string => {
  const { deadline, harm, now, number, random, reason, retry, state } = failed
  const repeatability = repeatabilityOf(reason)
  if (repeatability === "never") return ""
  const harmful = repeatability === "when-harmless" ? harm() : undefined
  if (harmful !== undefined) return ` Not repeated: ${harmful}`
  // What is no number must not repeat forever, so both limits ask for what is allowed.
  if (!(number <= retry.maxRepeats)) return ""
  const hint = retry.honourHints && "retryAfter" in reason ? (reason.retryAfter ?? 0) : 0
  const bound = Math.min(retry.maxDelay, retry.baseDelay * 2 ** (number - 1))
  const delay = Math.max(hint, Math.round(random() * bound))
  if (now + delay >= deadline) return ` Not repeated: ${waitInWords(delay)} to wait do not fit the time limit.`
  const cost = reason._tag === "RateLimited" ? retry.quota.rateLimitedCost : retry.quota.cost
  if (!(state.spentQuota + cost <= retry.quota.capacity)) {
    return " Not repeated: the retry quota of this client is used up."
  }
  state.spentQuota += cost
  return delay
}
