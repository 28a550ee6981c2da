/**
 * Checks that no call stops early: a call that may retry, and has the time and the quota for it, must retry.
 */
import type { Attempt } from "@signalbox/core/Attempt"
import { callFinding, type Finding } from "../../Finding.ts"
import { areKeysHonoured } from "../Keys.ts"
import type { Observation, ObservedCall } from "../Observation.ts"
import { isAppending, retryPolicyOf, timeoutsOf } from "../Program.ts"
import { wasNotSent } from "./Claim.ts"
import { hintOf, longestJitter, mayBeThrottled } from "./Hint.ts"
import { costOf, mostSpent } from "./Quota.ts"

const transientStatuses: ReadonlySet<number | undefined> = new Set([408, 425, 500, 502, 503, 504])

/** Whether a retry is safe. */
const isHarmless = ({ switches }: Observation, { plan }: ObservedCall): boolean =>
  !isAppending(plan) || (plan.serviceHonoursKeys && plan.key !== "off" && areKeysHonoured(switches))

const mustRetry = (observation: Observation, call: ObservedCall, last: Attempt): boolean => {
  const request = call.requests[last.number - 1]
  if (request === undefined) return false
  switch (last.outcome) {
    case "RateLimited":
    case "RequestInFlight":
      return true
    case "TransportFailure":
      return isHarmless(observation, call) || (call.requests.length === 1 && wasNotSent(request))
    case "Timeout":
      return isHarmless(observation, call)
    case "ServerFailure":
    case "Rejected":
      return (
        transientStatuses.has(last.status) &&
        request.responseHeaders["idempotency-replay"] !== "true" &&
        isHarmless(observation, call)
      )
    default:
      return false
  }
}

const longestWait = (call: ObservedCall, last: Attempt): number => {
  const { baseDelayMs, honourRetryAfter, maxDelayMs } = retryPolicyOf(call.plan)
  const request = call.requests[last.number - 1]
  const hint = honourRetryAfter && request !== undefined ? hintOf(last, request) * longestJitter : 0
  return Math.max(Math.min(maxDelayMs, baseDelayMs * 2 ** (last.number - 1)), hint)
}

const stoppedEarly = (observation: Observation, call: ObservedCall): string | undefined => {
  const last = call.attempts.at(-1)
  if (call.outcome._tag !== "Error" || last === undefined || !mustRetry(observation, call, last)) return undefined
  const { maxRetries, quota } = retryPolicyOf(call.plan)
  if (call.attempts.length > maxRetries) return undefined
  const end = last.startedAt + last.durationMs
  const deadline = call.startedAt + timeoutsOf(call.plan).callMs
  // A wait for the rate limit comes on top.
  if (mayBeThrottled(observation, call)) return undefined
  if (end + longestWait(call, last) >= deadline) return undefined
  if (mostSpent(observation, call, end) + costOf(call, last.outcome) > quota.capacity) return undefined
  return `stopped after ${call.attempts.length} attempts although its policy allows another one within its deadline`
}

/** Findings about calls that stop early. */
export const checkLiveness = (observation: Observation): ReadonlyArray<Finding> =>
  observation.calls.flatMap((call) => {
    const message = stoppedEarly(observation, call)
    return message === undefined ? [] : [callFinding(call, message)]
  })
