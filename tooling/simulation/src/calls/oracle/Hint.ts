/**
 * The waits that responses request.
 */
import type { Attempt } from "@signalbox/core/Errors"
import type { JournalEntry } from "@signalbox/test-harness"
import type { Observation, ObservedCall } from "../Observation.ts"
import { retryPolicyOf } from "../Program.ts"

/** Jitter on a requested wait, as a factor: a client may wait longer than requested, so that clients spread. */
export const longestJitter = 1.2

/** The wait that a response requests, in milliseconds. */
export const hintOf = (
  { outcome, status }: Attempt,
  { outcome: requestOutcome, responseHeaders }: JournalEntry
): number => {
  if (requestOutcome._tag === "NoResponse" || outcome === "Timeout") return 0
  const value = responseHeaders["retry-after"]
  if (value === undefined) return status === 429 ? 1_000 * Number(responseHeaders["ratelimit-reset"] ?? 0) : 0
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return seconds * 1_000
  return Math.max(0, Date.parse(value) - Date.parse(responseHeaders["date"] ?? ""))
}

/** Whether a response closes the rate limit for all calls of its client. */
const closesLimit = (attempt: Attempt, request: JournalEntry): boolean =>
  attempt.outcome === "RateLimited" ||
  (attempt.outcome === "ServerFailure" && attempt.status === 503 && hintOf(attempt, request) > 0)

/** Attempts of a call after which every retry counts. */
const mostHeld = 100

/**
 * Whether a retry costs time only: `yes` where the service announced the wait, `perhaps` where it rejected the request
 * without a wait and may have served another call.
 */
export const isRetryFree = (call: ObservedCall, attempt: Attempt): "yes" | "no" | "perhaps" => {
  const request = call.requests[attempt.number - 1]
  if (
    request === undefined ||
    call.plan.throttling === "off" ||
    attempt.number > mostHeld ||
    !closesLimit(attempt, request)
  )
    return "no"
  if (request.responseHeaders["idempotency-replay"] === "true") return "no"
  return retryPolicyOf(call.plan).honourRetryAfter && hintOf(attempt, request) > 0
    ? "yes"
    : attempt.outcome === "RateLimited"
      ? "perhaps"
      : "no"
}

/** Whether the rate limit may have delayed requests of a client. */
export const mayBeThrottled = ({ calls, journal }: Observation, { plan }: ObservedCall): boolean =>
  plan.throttling === "wait" &&
  (journal.some(({ responseHeaders }) => responseHeaders["ratelimit-remaining"] === "0") ||
    calls.some(
      (call) =>
        call.plan.client === plan.client &&
        call.attempts.some((attempt) => {
          const request = call.requests[attempt.number - 1]
          return request !== undefined && closesLimit(attempt, request)
        })
    ))
