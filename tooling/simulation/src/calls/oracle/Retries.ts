/**
 * Checks which attempts are retried, when, and with which key.
 */
import type { Attempt } from "@signalbox/core/Attempt"
import type { JournalEntry } from "@signalbox/test-harness"
import type { Observation, ObservedCall } from "../Observation.ts"
import { isAppending, retryPolicyOf, timeoutsOf } from "../Program.ts"
import { isRefusal, wasNotSent } from "./Claim.ts"
import { hintOf, isRetryFree, longestJitter, mayBeThrottled } from "./Hint.ts"
import { costOf, leastSpent } from "./Quota.ts"
import { callFinding, type Finding, scenarioFinding } from "../../Finding.ts"

const retryable: ReadonlySet<string> = new Set([
  "TransportFailure",
  "Timeout",
  "RateLimited",
  "RequestInFlight",
  "ServerFailure",
  "Rejected",
  "MalformedResponse"
])

const isCut = ({ outcome }: JournalEntry): boolean => outcome._tag === "CutResponse"

const isReplayed = ({ outcome }: Attempt, { responseHeaders }: JournalEntry): boolean =>
  outcome === "ServerFailure" && responseHeaders["idempotency-replay"] === "true"

const mayDuplicate = (observation: Observation, { plan }: ObservedCall): boolean =>
  isAppending(plan) && (plan.key === "off" || observation.switches["idempotency.sameBody"] === "apply")

const wrongRetry = (
  observation: Observation,
  call: ObservedCall,
  attempt: Attempt,
  request: JournalEntry,
  next: Attempt
): string | undefined => {
  const transient = attempt.status === 408 || attempt.status === 425
  const isFinal =
    (attempt.outcome === "Rejected" && !transient) || (attempt.outcome === "MalformedResponse" && !isCut(request))
  if (!retryable.has(attempt.outcome) || isFinal) return `was retried after ${attempt.outcome}`
  if (isReplayed(attempt, request)) return "retried a replayed response"
  if (mayDuplicate(observation, call) && !isRefusal(attempt) && !wasNotSent(request)) {
    return "was retried although it may have been appended"
  }
  const { baseDelayMs, honourRetryAfter, maxDelayMs, quota } = retryPolicyOf(call.plan)
  const end = attempt.startedAt + attempt.durationMs
  const cost = isRetryFree(call, attempt) === "no" ? costOf(call, attempt.outcome) : 0
  if (cost > 0 && leastSpent(observation, call, end) + cost > quota.capacity) {
    return "was retried although the quota of its client is used up"
  }
  const hint = honourRetryAfter ? hintOf(attempt, request) : 0
  if (next.delayMs < hint) return `waited ${next.delayMs} ms, the service requested ${hint} ms`
  const bound = Math.max(hint * longestJitter, Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt.number - 1)))
  return next.delayMs > bound && !mayBeThrottled(observation, call)
    ? `waited ${next.delayMs} ms, the policy allows at most ${bound} ms`
    : undefined
}

const wrongTimes = (call: ObservedCall, ahead: number): ReadonlyArray<string> => {
  const limits = timeoutsOf(call.plan)
  const deadline = call.startedAt + limits.callMs
  const late = call.requests.map(({ at }) => at - ahead).filter((at) => at >= deadline || at > call.endedAt)
  const long = call.attempts.filter(({ durationMs }) => durationMs > limits.attemptMs)
  const abortedAt = call.startedAt + (call.plan.abortsAfter ?? Infinity)
  return [
    ...(call.endedAt > abortedAt ? [`continued for ${call.endedAt - abortedAt} ms after its abort`] : []),
    ...(call.endedAt > deadline ? [`ended ${call.endedAt - deadline} ms after its deadline`] : []),
    ...late.map((at) => `sent a request ${at - call.startedAt} ms after its start, when it was over`),
    ...long.map(({ durationMs, number }) => `attempt ${number} took ${durationMs} ms`)
  ]
}

const wrongKeys = ({ plan, requests }: ObservedCall): ReadonlyArray<string> => {
  const keys = new Set(requests.map(({ idempotencyKey }) => idempotencyKey))
  if (keys.size > 1) return ["sent more than one key"]
  if (requests.length > 0 && keys.has(undefined) !== (plan.key === "off"))
    return ["sent or omitted a key against its policy"]
  return []
}

const checkCall = (observation: Observation, call: ObservedCall): ReadonlyArray<Finding> => {
  const { maxRetries } = retryPolicyOf(call.plan)
  const retryCount = call.attempts.slice(0, -1).filter((attempt) => isRetryFree(call, attempt) === "no").length
  const wrong = call.attempts.flatMap((attempt, index) => {
    const request = call.requests[index]
    const next = call.attempts[index + 1]
    return request === undefined || next === undefined
      ? []
      : (wrongRetry(observation, call, attempt, request, next) ?? [])
  })
  return [
    ...wrong,
    ...(call.attempts.length > 1 && maxRetries === 0 ? ["was retried, the policy allows no retry"] : []),
    ...(retryCount > maxRetries ? [`was retried ${retryCount} times, the policy allows ${maxRetries}`] : []),
    ...wrongTimes(call, observation.scenario.ahead),
    ...wrongKeys(call)
  ].map((message) => callFinding(call, message))
}

const sharedKeys = ({ calls }: Observation): ReadonlyArray<Finding> => {
  const seen = new Set<string>()
  return calls.flatMap((call) => {
    const key = call.requests[0]?.idempotencyKey
    if (call.plan.key !== "random" || key === undefined) return []
    if (seen.has(key)) return [callFinding(call, "shares its random key with another call")]
    seen.add(key)
    return []
  })
}

const withoutBackoff = (observation: Observation): ReadonlyArray<Finding> => {
  const delays = observation.calls.flatMap((call) =>
    call.attempts.flatMap(({ delayMs }, index) => {
      const before = call.attempts[index - 1]
      const request = call.requests[index - 1]
      if (before === undefined || request === undefined || mayBeThrottled(observation, call)) return []
      return hintOf(before, request) > 0 || retryPolicyOf(call.plan).baseDelayMs < 200 ? [] : [delayMs]
    })
  )
  // One drawn delay of 0 ms is possible; three of them are not.
  return delays.length >= 3 && delays.every((delay) => delay === 0) ? [scenarioFinding("retries without backoff")] : []
}

/** Findings about retries. */
export const checkRetries = (observation: Observation): ReadonlyArray<Finding> => [
  ...observation.calls.flatMap((call) => checkCall(observation, call)),
  ...sharedKeys(observation),
  ...withoutBackoff(observation)
]
