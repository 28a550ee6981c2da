/**
 * Checks of how a client retries. Times are those of the environment's clock.
 */
import * as Schema from "effect/Schema"
import { inputCheck, Milliseconds } from "../input/Input.ts"
import type { JournalEntry } from "../journal/JournalEntry.ts"
import { allowedAt } from "./Conclusion.ts"
import { type Retry, retriesIn, type Sequence } from "./Sequences.ts"
import type { ExpectationIssue } from "./UnmetExpectation.ts"

/** The bounds of the wait before a retry; both are inclusive. */
export interface RetryDelay {
  readonly atLeastMs?: number
  readonly atMostMs?: number
}

/** The wait before every retry, before each one in order, or a function of its number: 1 for the first retry. */
export type Backoff = RetryDelay | ReadonlyArray<RetryDelay> | ((retry: number) => RetryDelay)

const ms = (count: number): string => `${Math.round(count * 1_000) / 1_000} ms`

const describeDelay = ({ atLeastMs, atMostMs }: RetryDelay): string => {
  if (atMostMs === undefined) return `at least ${ms(atLeastMs ?? 0)}`
  return atLeastMs === undefined ? `at most ${ms(atMostMs)}` : `${ms(atLeastMs)} to ${ms(atMostMs)}`
}

const isWithin = ({ atLeastMs = 0, atMostMs = Infinity }: RetryDelay, waited: number): boolean =>
  waited >= atLeastMs && waited <= atMostMs

/** The schema of a wait; one without bounds, which any retry would keep, is rejected. @internal */
export const RetryDelayInput = Schema.Struct({
  atLeastMs: Schema.optionalKey(Milliseconds),
  atMostMs: Schema.optionalKey(Milliseconds)
}).check(
  Schema.makeFilter(
    ({ atLeastMs, atMostMs }) => (atLeastMs ?? atMostMs) !== undefined && (atLeastMs ?? 0) <= (atMostMs ?? Infinity),
    { expected: "an object with atLeastMs, atMostMs or both, the first at most the second" }
  )
)

const checkDelay = inputCheck("expectFake.backedOff.backoff", RetryDelayInput)

const plannedDelay = (backoff: Backoff, retry: number): RetryDelay | undefined => {
  if (typeof backoff === "function") return backoff(retry)
  return "length" in backoff ? backoff[retry - 1] : backoff
}

const wrongDelay = (backoff: Backoff, { after, before }: Retry, retry: number): string | undefined => {
  if (before.endedAt === undefined) {
    return `request ${after.number} retries request ${before.number}, which is still in flight`
  }
  const delay = plannedDelay(backoff, retry)
  if (delay === undefined) return `request ${after.number} is retry ${retry}; no such retry is expected`
  checkDelay(delay)
  const waited = after.at - before.endedAt
  if (isWithin(delay, waited)) return undefined
  return `request ${after.number} came ${ms(waited)} after the end of request ${before.number}, expected ${describeDelay(delay)}`
}

/** Retries that came too soon or too late. */
export const backoffIssue = (sequences: ReadonlyArray<Sequence>, backoff: Backoff): ExpectationIssue | undefined => {
  for (const sequence of sequences) {
    for (const [index, retry] of retriesIn([sequence]).entries()) {
      const message = wrongDelay(backoff, retry, index + 1)
      if (message !== undefined) return { message, requests: [retry.after] }
    }
  }
  return undefined
}

/** The retries of requests whose response had a `Retry-After`. */
export const hintedRetries = (sequences: ReadonlyArray<Sequence>): ReadonlyArray<Retry> =>
  retriesIn(sequences).filter(({ before }) => allowedAt(before) !== undefined)

/** Retries that came before `Retry-After` allowed them. */
export const retryAfterIssue = (sequences: ReadonlyArray<Sequence>): ExpectationIssue | undefined => {
  for (const { after, before } of hintedRetries(sequences)) {
    const early = (allowedAt(before) ?? 0) - after.at
    if (early > 0) {
      return {
        message: `request ${after.number} came ${ms(early)} earlier than Retry-After ${before.responseHeaders["retry-after"]} of request ${before.number} allows`,
        requests: [after]
      }
    }
  }
  return undefined
}

/** Retries without the idempotency key of the first request. */
export const keyIssue = (sequences: ReadonlyArray<Sequence>): ExpectationIssue | undefined => {
  for (const { after, before } of retriesIn(sequences)) {
    if (before.idempotencyKey === undefined) {
      return {
        message: `request ${before.number} has no idempotency key, and request ${after.number} retries it`,
        requests: [before, after]
      }
    }
    if (before.idempotencyKey !== after.idempotencyKey) {
      const key = after.idempotencyKey === undefined ? "without an idempotency key" : "with another idempotency key"
      return {
        message: `request ${after.number} retries request ${before.number} ${key}`,
        requests: [before, after]
      }
    }
  }
  return undefined
}

/** Retries that came later than this many milliseconds after the first request. */
export const deadlineIssue = (sequences: ReadonlyArray<Sequence>, deadlineMs: number): ExpectationIssue | undefined => {
  for (const [first, ...retries] of sequences) {
    const late = retries.find(({ at }) => at - first.at > deadlineMs)
    if (late !== undefined) {
      return {
        message: `request ${late.number} came ${ms(late.at - first.at)} after request ${first.number}, expected no request later than ${ms(deadlineMs)}`,
        requests: [late]
      }
    }
  }
  return undefined
}

/** Whether the client got a response with one of these statuses. */
export const gotStatus = ({ outcome }: JournalEntry, statuses: ReadonlyArray<number>): boolean =>
  outcome._tag === "Response" && statuses.includes(outcome.status)

/** Retries after a response with one of these statuses. */
export const retriedIssue = (
  sequences: ReadonlyArray<Sequence>,
  statuses: ReadonlyArray<number>
): ExpectationIssue | undefined => {
  const found = retriesIn(sequences).find(({ before }) => gotStatus(before, statuses))
  if (found === undefined || found.before.outcome._tag !== "Response") return undefined
  const { after, before } = found
  return {
    message: `request ${after.number} retries request ${before.number}, whose response was ${found.before.outcome.status}`,
    requests: [before, after]
  }
}

/** More requests in flight at once than expected. */
export const inFlightIssue = (entries: ReadonlyArray<JournalEntry>, max: number): ExpectationIssue | undefined => {
  let inFlight: ReadonlyArray<JournalEntry> = []
  for (const entry of entries) {
    inFlight = [...inFlight.filter(({ endedAt }) => endedAt === undefined || endedAt > entry.at), entry]
    if (inFlight.length > max) {
      return {
        message: `${inFlight.length} requests were in flight when request ${entry.number} came, expected at most ${max}`,
        requests: inFlight
      }
    }
  }
  return undefined
}
