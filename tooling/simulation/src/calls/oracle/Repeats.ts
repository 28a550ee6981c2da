/**
 * What is repeated, when, and with which key.
 */
import type { Attempt } from "@signalbox/core/Attempt"
import type { JournalEntry } from "@signalbox/test-harness"
import type { Observation, ObservedCall } from "../Observation.ts"
import { retryPolicyOf, timeoutsOf, tokensOf } from "../Program.ts"
import { isRefusal } from "./Claim.ts"
import { complain, type Complaint } from "../../Complaint.ts"

const repeatable: ReadonlySet<string> = new Set([
  "TransportFailure",
  "Timeout",
  "RateLimited",
  "RequestInFlight",
  "ServerFailure",
  "Rejected"
])

const isStored = ({ outcome }: Attempt, { answerHeaders }: JournalEntry): boolean =>
  outcome === "ServerFailure" && answerHeaders["idempotency-replay"] === "true"

/** How long an answer asks to wait, in milliseconds; one that did not come to its end in time asks for nothing. */
const hintOf = ({ outcome }: Attempt, { answerHeaders, told }: JournalEntry): number => {
  const value = answerHeaders["retry-after"]
  if (value === undefined || told._tag !== "Answer" || outcome === "Timeout") return 0
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return seconds * 1_000
  return Math.max(0, Date.parse(value) - Date.parse(answerHeaders["date"] ?? ""))
}

const mayDouble = (observation: Observation, { plan }: ObservedCall): boolean =>
  plan.operation === "credentials.upsert" &&
  (tokensOf(plan)?.length ?? 0) > 0 &&
  (plan.key === "off" || observation.switches["idempotency.sameBody"] === "apply")

/** Whether the service has said that nothing is left, so that the client holds requests back of its own accord. */
const mayBeHeldBack = ({ journal }: Observation, { plan }: ObservedCall): boolean =>
  plan.throttling === "wait" && journal.some(({ answerHeaders }) => answerHeaders["ratelimit-remaining"] === "0")

const wasNotSent = ({ told }: JournalEntry): boolean => told._tag === "Nothing" && told.ending === "refuse"

const wrongRepeat = (
  observation: Observation,
  call: ObservedCall,
  attempt: Attempt,
  request: JournalEntry,
  next: Attempt
): string | undefined => {
  const transient = attempt.status === 408 || attempt.status === 425
  if (!repeatable.has(attempt.outcome) || (attempt.outcome === "Rejected" && !transient)) {
    return `was repeated after ${attempt.outcome}`
  }
  if (isStored(attempt, request)) return "repeated a stored answer"
  if (mayDouble(observation, call) && !isRefusal(attempt) && !wasNotSent(request)) {
    return "repeated device tokens although nobody knows whether they were added"
  }
  const { baseDelayMs, honourRetryAfter, maxDelayMs } = retryPolicyOf(call.plan)
  const hint = honourRetryAfter ? hintOf(attempt, request) : 0
  if (next.delayMs < hint) return `waited ${next.delayMs} ms where the service asked for ${hint} ms`
  const bound = Math.max(hint, Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt.number - 1)))
  return next.delayMs > bound && !mayBeHeldBack(observation, call)
    ? `waited ${next.delayMs} ms, at most ${bound} ms are allowed`
    : undefined
}

const wrongTimes = (call: ObservedCall, ahead: number): ReadonlyArray<string> => {
  const limits = timeoutsOf(call.plan)
  const deadline = call.beganAt + limits.callMs
  const late = call.requests.map(({ at }) => at - ahead).filter((at) => at >= deadline || at > call.endedAt)
  const long = call.attempts.filter(({ durationMs }) => durationMs > limits.attemptMs)
  const givenUp = call.beganAt + (call.plan.givesUpAfter ?? Infinity)
  return [
    ...(call.endedAt > givenUp ? [`went on for ${call.endedAt - givenUp} ms when it was given up`] : []),
    ...(call.endedAt > deadline ? [`ended ${call.endedAt - deadline} ms after its deadline`] : []),
    ...late.map((at) => `sent a request ${at - call.beganAt} ms after it began, when it was over`),
    ...long.map(({ durationMs, number }) => `attempt ${number} took ${durationMs} ms`)
  ]
}

const wrongKeys = ({ plan, requests }: ObservedCall): ReadonlyArray<string> => {
  const keys = new Set(requests.map(({ idempotencyKey }) => idempotencyKey))
  if (keys.size > 1) return ["sent more than one key"]
  if (requests.length > 0 && keys.has(undefined) !== (plan.key === "off")) return ["sent a key against its policy"]
  return []
}

const judgeCall = (observation: Observation, call: ObservedCall): ReadonlyArray<Complaint> => {
  const { maxRetries } = retryPolicyOf(call.plan)
  const repeats = call.requests.length - 1
  const wrong = call.attempts.flatMap((attempt, index) => {
    const request = call.requests[index]
    const next = call.attempts[index + 1]
    return request === undefined || next === undefined
      ? []
      : (wrongRepeat(observation, call, attempt, request, next) ?? [])
  })
  return [
    ...wrong,
    ...(repeats > maxRetries ? [`was repeated ${repeats} times, ${maxRetries} are allowed`] : []),
    ...wrongTimes(call, observation.scenario.ahead),
    ...wrongKeys(call)
  ].map((what) => complain(call, what))
}

const sharedKeys = ({ calls }: Observation): ReadonlyArray<Complaint> => {
  const seen = new Set<string>()
  return calls.flatMap((call) => {
    const key = call.requests[0]?.idempotencyKey
    if (call.plan.key !== "random" || key === undefined) return []
    if (seen.has(key)) return [complain(call, "shares its random key with another call")]
    seen.add(key)
    return []
  })
}

/** Complaints about repeats. */
export const judgeRepeats = (observation: Observation): ReadonlyArray<Complaint> => [
  ...observation.calls.flatMap((call) => judgeCall(observation, call)),
  ...sharedKeys(observation)
]
