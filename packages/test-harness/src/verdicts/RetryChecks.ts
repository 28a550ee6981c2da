/**
 * Checks of how a client retries. Times are those of the environment's clock.
 */
import * as Schema from "effect/Schema"
import { inputCheck, Milliseconds } from "../input/Input.ts"
import type { JournalEntry } from "../journal/JournalEntry.ts"
import { allowedAt } from "./Conclusion.ts"
import { type NamedTarget, matches } from "./ExpectationTarget.ts"
import type { ExpectationIssue } from "./UnmetExpectation.ts"

export type Sequence = [first: JournalEntry, ...retries: Array<JournalEntry>]

/** A request and the next one, which retries it. */
export interface Retry {
  readonly before: JournalEntry
  readonly after: JournalEntry
}

/**
 * The sequences that match a target. Unlike a call, a sequence continues when a client retries a request with another
 * key.
 */
export const sequencesOf = (entries: ReadonlyArray<JournalEntry>, target: NamedTarget): ReadonlyArray<Sequence> => {
  const byCall = new Map<number, Sequence>()
  const byNumber = new Map<number, Sequence>()
  const sequences: Array<Sequence> = []
  for (const entry of entries) {
    const known = byCall.get(entry.call) ?? byNumber.get(entry.retryOf ?? 0)
    const sequence: Sequence = known ?? [entry]
    if (known === undefined) sequences.push(sequence)
    else known.push(entry)
    byCall.set(entry.call, sequence)
    byNumber.set(entry.number, sequence)
  }
  return sequences.filter((sequence) => sequence.some((entry) => matches(target, entry)))
}

export const retriesIn = (sequences: ReadonlyArray<Sequence>): ReadonlyArray<Retry> =>
  sequences.flatMap((sequence) =>
    sequence.slice(1).map((after, index) => ({ before: sequence[index] ?? sequence[0], after }))
  )

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

const checkDelay = inputCheck("expectFake.backedOff.backoff", () => RetryDelayInput)

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

type Issue = ExpectationIssue | undefined

/** The issue of the first retry that has one. */
const firstIssue = <One extends Retry>(
  retries: ReadonlyArray<One>,
  messageOf: (retry: One) => string | undefined,
  requestsOf: (retry: One) => ReadonlyArray<JournalEntry> = ({ after }) => [after]
): Issue => {
  for (const retry of retries) {
    const message = messageOf(retry)
    if (message !== undefined) return { message, requests: requestsOf(retry) }
  }
  return undefined
}

const both = ({ after, before }: Retry): ReadonlyArray<JournalEntry> => [before, after]

/** Retries that came too soon or too late. */
export const backoffIssue = (sequences: ReadonlyArray<Sequence>, backoff: Backoff): Issue =>
  firstIssue(
    sequences.flatMap((sequence) => retriesIn([sequence]).map((retry, index) => Object.assign(retry, { index }))),
    (retry) => wrongDelay(backoff, retry, retry.index + 1)
  )

/** The retries of requests whose response had a `Retry-After`. */
export const hintedRetries = (sequences: ReadonlyArray<Sequence>): ReadonlyArray<Retry> =>
  retriesIn(sequences).filter(({ before }) => allowedAt(before) !== undefined)

/** Retries that came before `Retry-After` allowed them. */
export const retryAfterIssue = (sequences: ReadonlyArray<Sequence>): Issue =>
  firstIssue(hintedRetries(sequences), ({ after, before }) => {
    const early = (allowedAt(before) ?? 0) - after.at
    return early > 0
      ? `request ${after.number} came ${ms(early)} earlier than Retry-After ${before.responseHeaders["retry-after"]} of request ${before.number} allows`
      : undefined
  })

const wrongKey = ({ after, before }: Retry): string | undefined => {
  if (before.idempotencyKey === undefined)
    return `request ${before.number} has no idempotency key, and request ${after.number} retries it`
  if (before.idempotencyKey === after.idempotencyKey) return undefined
  const key = after.idempotencyKey === undefined ? "without an idempotency key" : "with another idempotency key"
  return `request ${after.number} retries request ${before.number} ${key}`
}

/** Retries without the idempotency key of the first request. */
export const keyIssue = (sequences: ReadonlyArray<Sequence>): Issue => firstIssue(retriesIn(sequences), wrongKey, both)

/** Retries that came later than this many milliseconds after the first request. */
export const deadlineIssue = (sequences: ReadonlyArray<Sequence>, deadlineMs: number): Issue =>
  firstIssue(
    sequences.flatMap(([before, ...retries]) => retries.map((after) => ({ before, after }))),
    ({ after, before }) =>
      after.at - before.at > deadlineMs
        ? `request ${after.number} came ${ms(after.at - before.at)} after request ${before.number}, expected no request later than ${ms(deadlineMs)}`
        : undefined
  )

/** Whether the client got a response with one of these statuses. */
export const gotStatus = ({ outcome }: JournalEntry, statuses: ReadonlyArray<number>): boolean =>
  outcome._tag === "Response" && statuses.includes(outcome.status)

/** Retries after a response with one of these statuses. */
export const retriedIssue = (sequences: ReadonlyArray<Sequence>, statuses: ReadonlyArray<number>): Issue =>
  firstIssue(
    retriesIn(sequences),
    ({ after, before }) =>
      gotStatus(before, statuses) && "status" in before.outcome
        ? `request ${after.number} retries request ${before.number}, whose response was ${before.outcome.status}`
        : undefined,
    both
  )

/** More requests in flight at once than expected. */
export const inFlightIssue = (entries: ReadonlyArray<JournalEntry>, max: number): Issue => {
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
