/**
 * The retry quota of a client, computed from its attempts: a second and much simpler count.
 */
import type { Observation, ObservedCall } from "../Observation.ts"
import { retryPolicyOf } from "../Program.ts"
import { isRetryFree } from "./Hint.ts"

interface Change {
  readonly at: number
  /** Tokens taken; negative for tokens returned. */
  readonly tokens: number
}

/** The tokens that a retry after an outcome takes. */
export const costOf = ({ plan }: ObservedCall, outcome: string): number => {
  const { quota } = retryPolicyOf(plan)
  return outcome === "RateLimited" ? quota.rateLimitedCost : quota.cost
}

/** The tokens that a call certainly took from the quota and returned to it. */
const certainChanges = (call: ObservedCall): ReadonlyArray<Change> => [
  ...call.attempts
    .slice(0, -1)
    .filter((attempt) => isRetryFree(call, attempt) === "no")
    .map(({ durationMs, outcome, startedAt }) => ({ at: startedAt + durationMs, tokens: costOf(call, outcome) })),
  ...(call.outcome._tag === "Value" ? [{ at: call.endedAt, tokens: -retryPolicyOf(call.plan).quota.refund }] : [])
]

/** The tokens that a call may have taken: also for retries that may cost time only, and for one that it planned and did not make. */
const possibleChanges = (call: ObservedCall): ReadonlyArray<Change> => [
  ...certainChanges(call),
  ...call.attempts
    .filter((attempt) => {
      const isPlanned = attempt === call.attempts.at(-1)
      const isFree = isRetryFree(call, attempt)
      return isPlanned ? call.outcome._tag !== "Value" && isFree !== "yes" : isFree === "perhaps"
    })
    .map(({ durationMs, outcome, startedAt }) => ({ at: startedAt + durationMs, tokens: costOf(call, outcome) }))
]

const sum = (changes: ReadonlyArray<Change>): number =>
  changes.toSorted((one, other) => one.at - other.at).reduce((spent, { tokens }) => Math.max(0, spent + tokens), 0)

const ofClient = ({ calls }: Observation, call: ObservedCall): ReadonlyArray<ObservedCall> =>
  calls.filter(({ plan }) => plan.client === call.plan.client)

/** The least number of tokens that the client had taken before a time. */
export const leastSpent = (observation: Observation, call: ObservedCall, time: number): number =>
  sum(
    ofClient(observation, call)
      .flatMap(certainChanges)
      .filter(({ at, tokens }) => at < time || (at === time && tokens < 0))
  )

/** The greatest number of tokens that other calls of the client and this one may have taken up to a time. */
export const mostSpent = (observation: Observation, call: ObservedCall, time: number): number =>
  sum(
    ofClient(observation, call)
      .flatMap((one) => (one === call ? certainChanges(one) : possibleChanges(one)))
      .filter(({ at, tokens }) => at < time || (at === time && tokens > 0))
  )
