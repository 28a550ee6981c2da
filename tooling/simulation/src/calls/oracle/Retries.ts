/**
 * Checks the retries of a call against its policy: none too many, too early or too late, and none missing where the call
 * has the time and the quota for another one. Whether a request may be sent again is a conclusion of the fake.
 */
import type { Attempt } from "@signalbox/core/Errors"
import { conclusionOf, type JournalEntry } from "@signalbox/test-harness"
import { callFinding, type Finding, unless } from "../../Finding.ts"
import { areKeysHonoured } from "../Keys.ts"
import type { Observation, ObservedCall } from "../Observation.ts"
import { isAppending, retryPolicyOf, timeoutsOf } from "../Program.ts"
import { hintOf, isRetryFree, longestJitter, mayBeThrottled } from "./Hint.ts"
import { costOf, leastSpent, mostSpent } from "./Quota.ts"

/** The longest delay before the next attempt, unless the response asks for more. */
const longestDelay = ({ plan }: ObservedCall, { number }: Attempt): number => {
  const { baseDelayMs, maxDelayMs } = retryPolicyOf(plan)
  return Math.min(maxDelayMs, baseDelayMs * 2 ** (number - 1))
}

const hintFor = ({ plan }: ObservedCall, attempt: Attempt, request: JournalEntry): number =>
  retryPolicyOf(plan).honourRetryAfter ? hintOf(attempt, request) : 0

/** A key that may be ignored protects no append. */
const mayDuplicate = ({ switches }: Observation, { plan }: ObservedCall): boolean =>
  isAppending(plan) && (plan.key === "off" || switches["idempotency.sameBody"] === "apply")

const wrongRetry = (
  observation: Observation,
  call: ObservedCall,
  attempt: Attempt,
  request: JournalEntry,
  next: Attempt
): string | undefined => {
  const { retry } = conclusionOf(request)
  if (retry === "useless") return `was retried after ${attempt.outcome}`
  if (retry === "unless-harmful" && mayDuplicate(observation, call))
    return "was retried although it may have been appended"
  const end = attempt.startedAt + attempt.durationMs
  const cost = isRetryFree(call, attempt) === "no" ? costOf(call, attempt.outcome) : 0
  if (cost > 0 && leastSpent(observation, call, end) + cost > retryPolicyOf(call.plan).quota.capacity)
    return "was retried although the quota of its client is used up"
  const hint = hintFor(call, attempt, request)
  if (next.delayMs < hint) return `waited ${next.delayMs} ms, the service requested ${hint} ms`
  const bound = Math.max(hint * longestJitter, longestDelay(call, attempt))
  return next.delayMs > bound && !mayBeThrottled(observation, call)
    ? `waited ${next.delayMs} ms, the policy allows at most ${bound} ms`
    : undefined
}

/** Whether a retry is safe for this client, and it makes one. */
const mustRetry = ({ switches }: Observation, { plan }: ObservedCall, request: JournalEntry): boolean => {
  const { retry } = conclusionOf(request)
  const isHarmless = !isAppending(plan) || (plan.serviceHonoursKeys && plan.key !== "off" && areKeysHonoured(switches))
  // The head of a response that breaks off, or for which the time ends, may say enough.
  const hasHeadOnly = "status" in request.outcome && request.points.at(-1)?.point !== "answered"
  return retry === "safe" || (retry === "unless-harmful" && isHarmless && !hasHeadOnly)
}

const stoppedEarly = (observation: Observation, call: ObservedCall): ReadonlyArray<string> => {
  const last = call.attempts.at(-1)
  const request = call.requests[call.attempts.length - 1]
  if (call.outcome._tag !== "Error" || last === undefined || request === undefined) return []
  const { maxRetries, quota } = retryPolicyOf(call.plan)
  const end = last.startedAt + last.durationMs
  const longestWait = Math.max(longestDelay(call, last), hintFor(call, last, request) * longestJitter)
  return call.attempts.length > maxRetries ||
    !mustRetry(observation, call, request) ||
    // A wait for the rate limit comes on top.
    mayBeThrottled(observation, call) ||
    end + longestWait >= call.startedAt + timeoutsOf(call.plan).callMs ||
    mostSpent(observation, call, end) + costOf(call, last.outcome) > quota.capacity
    ? []
    : [`stopped after ${call.attempts.length} attempts although its policy allows another one within its deadline`]
}

const wrongTimes = (call: ObservedCall, ahead: number): ReadonlyArray<string> => {
  const limits = timeoutsOf(call.plan)
  const deadline = call.startedAt + limits.callMs
  const isLate = call.requests.some(({ at }) => at - ahead >= deadline || at - ahead > call.endedAt)
  const long = call.attempts.filter(({ durationMs }) => durationMs > limits.attemptMs)
  return [
    ...unless(call.endedAt <= deadline, `ended ${call.endedAt - deadline} ms after its deadline`),
    ...unless(!isLate, "sent a request when it was over"),
    ...long.map(({ durationMs, number }) => `attempt ${number} took ${durationMs} ms`)
  ]
}

const checkCall = (observation: Observation, call: ObservedCall): ReadonlyArray<string> => {
  const { attempts, plan, requests } = call
  const { maxRetries } = retryPolicyOf(plan)
  const retryCount = attempts.slice(0, -1).filter((attempt) => isRetryFree(call, attempt) === "no").length
  return [
    ...attempts.flatMap((attempt, index) => {
      const [request, next] = [requests[index], attempts[index + 1]]
      return request === undefined || next === undefined
        ? []
        : (wrongRetry(observation, call, attempt, request, next) ?? [])
    }),
    ...unless(attempts.length <= 1 || maxRetries > 0, "was retried, the policy allows no retry"),
    ...unless(retryCount <= maxRetries, `was retried ${retryCount} times, the policy allows ${maxRetries}`),
    ...stoppedEarly(observation, call),
    ...wrongTimes(call, observation.scenario.ahead),
    ...unless(
      requests.every(({ idempotencyKey }) => (idempotencyKey === undefined) === (plan.key === "off")),
      "sent or omitted a key against its policy"
    )
  ]
}

/** Findings about retries. */
export const checkRetries = (observation: Observation): ReadonlyArray<Finding> =>
  observation.calls.flatMap((call) => checkCall(observation, call).map((message) => callFinding(call, message)))
