import * as Context from "effect/Context"
import * as Random from "effect/Random"
import type { CallStateShape } from "./CallState.ts"
import type { Reason } from "../errors/Reason.ts"
import type { CallRecord } from "./CallRecord.ts"
import { waitInWords } from "../errors/Advice.ts"
import { remedyOf } from "../errors/PermanentFailure.ts"

const transientStatuses = new Set([500, 502, 503, 504])

/**
 * Whether a failed attempt may be retried.
 *
 * - `always`: the service did not apply the request
 * - `when-harmless`: the request may have been applied; applying it twice must be harmless
 * - `never`: a retry would fail the same way, or do harm
 */
const retryRuleOf = (reason: Reason): "always" | "when-harmless" | "never" => {
  switch (reason._tag) {
    case "TransportFailure":
      if (remedyOf(reason.message) !== undefined) return "never"
      return reason.delivery === "not-sent" ? "always" : "when-harmless"
    case "Timeout":
      if (reason.scope === "call") return "never"
      return reason.delivery === "not-sent" ? "always" : "when-harmless"
    case "RateLimited":
    case "RequestInFlight":
      return "always"
    case "ServerFailure":
      return !reason.replayed && transientStatuses.has(reason.status) ? "when-harmless" : "never"
    case "Rejected":
      // 425: the service refused to process the request (RFC 8470).
      return reason.status === 425 ? "always" : reason.status === 408 ? "when-harmless" : "never"
    case "MalformedResponse":
      return reason.isCutOff === true ? "when-harmless" : "never"
    default:
      return "never"
  }
}

/** Responses that leave open whether the change was applied: a failure can come after it, and a redirect instead of it. */
const unclear: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "ServerFailure",
  "UnexpectedStatus",
  "MalformedResponse",
  "RequestInFlight"
])

/** Why a write of which nothing else is known is not retried, as a sentence. */
export const appliedTwice = "a retry could apply it twice."

/** Whether the service may have applied the request of a failed attempt, or may still apply it. */
export const mayHaveArrived = (reason: Reason): boolean =>
  "delivery" in reason
    ? reason.delivery === "unknown"
    : unclear.has(reason._tag) || retryRuleOf(reason) === "when-harmless"

const randomOf = ({ policies }: CallRecord): number => Context.get(policies, Random.Random).nextDoubleUnsafe()

/**
 * The wait that the service requested, plus up to a fifth where the deadline allows it: clients with the same wait must
 * not all send at the same moment.
 */
export const jittered = (record: CallRecord, hint: number): number => {
  const left = record.deadline - record.monotonicMs()
  return hint + Math.floor(randomOf(record) * Math.max(0, Math.min(hint / 5, left - hint - 1)))
}

const tooLong = (delay: number, hint: number, callMs: number): string =>
  delay <= hint
    ? `the service asked for a ${waitInWords(delay)} wait, longer than the rest of the call's ${waitInWords(callMs)} deadline`
    : `the call's ${waitInWords(callMs)} deadline leaves no time for a wait of ${waitInWords(delay)}`

/** A random part of the policy's delay before the next retry, at least `least` of it. */
export const backoffOf = (record: CallRecord, least = 0): number => {
  const { baseDelayMs, maxDelayMs } = record.retry
  return Math.round((least + randomOf(record) * (1 - least)) * Math.min(maxDelayMs, baseDelayMs * 2 ** record.retries))
}

/** The wait that the service announced, in milliseconds; 0 when it announced none, or the policy does not follow it. */
export const hintOf = ({ retry }: CallRecord, reason: Reason): number =>
  retry.honourRetryAfter && "retryAfterMs" in reason ? (reason.retryAfterMs ?? 0) : 0

/**
 * The wait before the next attempt in milliseconds; or why there is no retry, as a sentence for the caller, empty if
 * the error's reason is sufficient. `harm` returns why applying the request twice would do harm; `undefined` when it is
 * harmless.
 */
export const nextAttempt = (
  record: CallRecord,
  state: CallStateShape,
  reason: Reason,
  harm: () => string | undefined
): number | string => {
  const { deadline, monotonicMs, retry, throttling, timeouts } = record
  let rule = retryRuleOf(reason)
  if (rule === "never" && record.requestedRetry === true) rule = mayHaveArrived(reason) ? "when-harmless" : "always"
  if (rule === "never") return ""
  const refused = record.requestedRetry === false ? "the service asked not to." : undefined
  const harmful = refused ?? (rule === "when-harmless" ? harm() : undefined)
  if (harmful !== undefined) return ` Not retried: ${harmful}`
  if ((record.isRetryFree ? 0 : record.retries) >= retry.maxRetries) return ""
  const hint = hintOf(record, reason)
  const delay = Math.max(jittered(record, hint), backoffOf(record))
  if (delay >= deadline - monotonicMs() && !(record.isHeld && throttling === "background")) {
    return ` Not retried: ${tooLong(delay, hint, timeouts.callMs)}.`
  }
  if (!record.isRetryFree) {
    const cost = reason._tag === "RateLimited" ? retry.quota.rateLimitedCost : retry.quota.cost
    if (state.spentQuota + cost > retry.quota.capacity) {
      return " Not retried: this client's retry quota is used up."
    }
    state.spentQuota += cost
    record.retries++
  }
  return record.isHeld ? 0 : delay
}
