/**
 * The expectations, as one table: their options and checks. The functions of `expectFake` and the control API both come
 * from it.
 */
import * as Schema from "effect/Schema"
import type { Environment } from "../environment/Environment.ts"
import { integer, Milliseconds } from "../input/Input.ts"
import type { JournalEntry } from "../journal/JournalEntry.ts"
import { unmatchedRequestLines } from "../journal/UnmatchedRequests.ts"
import { isRead } from "@signalbox/core/Operations"
import { describeTarget, matches, type NamedTarget, TargetInput } from "./ExpectationTarget.ts"
import { differencesFrom, ExpectedRequestInput } from "./ExpectedRequest.ts"
import { leakIssue } from "./LeakIssue.ts"
import {
  type Backoff,
  backoffIssue,
  deadlineIssue,
  gotStatus,
  hintedRetries,
  inFlightIssue,
  keyIssue,
  retriedIssue,
  retriesIn,
  retryAfterIssue,
  type RetryDelay,
  RetryDelayInput,
  type Sequence,
  sequencesOf
} from "./RetryChecks.ts"
import { times } from "./Times.ts"
import type { WatchedEnvironment } from "./Timeline.ts"
import type { ExpectationIssue } from "./UnmetExpectation.ts"
import { verdicts } from "./Verdict.ts"

export type CheckedEnvironment = WatchedEnvironment & Pick<Environment, "faults">

type Issue = ExpectationIssue | undefined

const requestsFor = ({ journal }: CheckedEnvironment, target: NamedTarget): ReadonlyArray<JournalEntry> =>
  journal.entries().filter((entry) => matches(target, entry))

const nothingToCheck = (message: string): ExpectationIssue => ({
  message: `${message}, so there is nothing to check`,
  requests: []
})

/** The issue if no request matches a target: `credentials.upsert was never requested`. */
const neverCame = (target: NamedTarget): string =>
  target.operation === undefined
    ? `${describeTarget(target, "no operation")} was requested`
    : `${describeTarget(target)} was never requested`

const applied = (environment: CheckedEnvironment, expected: number, target: NamedTarget): Issue => {
  if (target.operation !== undefined && isRead(target.operation)) {
    throw new RangeError(
      `expectFake: ${target.operation} changes nothing, so it is never applied; use neverRequested or waitFor`
    )
  }
  const requests = requestsFor(environment, target)
  const count = requests.filter((entry) => entry.applied).length
  if (count === expected) return undefined
  const found =
    requests.length === 0
      ? neverCame(target)
      : `${describeTarget(target)} was requested ${times(requests.length)} and applied ${times(count)}`
  const wanted = expected === 0 ? "never to be applied" : `to be applied ${times(expected)}`
  return { message: `${found}, expected ${wanted}`, requests }
}

const received = (
  environment: CheckedEnvironment,
  expected: typeof ExpectedRequestInput.Type,
  count: number | undefined
): Issue => {
  const compared = requestsFor(environment, expected).map((entry) => ({
    entry,
    differences: differencesFrom(expected, entry)
  }))
  if (compared.length === 0 && count !== 0) return { message: neverCame(expected), requests: [] }
  const equal = compared.filter(({ differences }) => differences.length === 0).map(({ entry }) => entry)
  if (count === undefined ? equal.length > 0 : equal.length === count) return undefined
  if (equal.length > 0) {
    const message = `${describeTarget(expected)} was received ${times(equal.length)} with this content, expected ${times(count ?? 1)}`
    return { message, requests: equal }
  }
  const nearest = compared.reduce((best, one) => (one.differences.length < best.differences.length ? one : best))
  const lines = nearest.differences.map((difference) => `  ${difference}`)
  const message = [
    `${describeTarget(expected)} was never received with this content; request ${nearest.entry.number} is the nearest:`,
    ...lines
  ].join("\n")
  return { message, requests: [nearest.entry] }
}

const neverRequested = (environment: CheckedEnvironment, target: NamedTarget): Issue => {
  const requests = requestsFor(environment, target)
  if (requests.length === 0) return undefined
  return { message: `${describeTarget(target)} was requested ${times(requests.length)}, expected never`, requests }
}

const noContradictions = ({ journal }: CheckedEnvironment, target: NamedTarget): Issue => {
  const matching = verdicts(journal).filter((verdict) => matches(target, verdict))
  if (matching.length === 0) return nothingToCheck(neverCame(target))
  const found = matching.filter(({ contradiction }) => contradiction !== undefined)
  if (found.length === 0) return undefined
  return {
    message: found.map(({ attempts, contradiction }) => `request ${attempts[0]?.number}: ${contradiction}`).join("; "),
    requests: found.flatMap(({ attempts }) => attempts)
  }
}

const hadAtMostInFlight = (environment: CheckedEnvironment, max: number, target: NamedTarget): Issue => {
  const requests = requestsFor(environment, target)
  return requests.length === 0
    ? nothingToCheck(`no request for ${describeTarget(target)} came`)
    : inFlightIssue(requests, max)
}

const noUnfiredFaults = ({ faults }: CheckedEnvironment): Issue => {
  const unfired = faults.unfired()
  return unfired.length === 0 ? undefined : { message: unfired.map(({ message }) => message).join("\n"), requests: [] }
}

const noUnexpectedRequests = ({ journal }: CheckedEnvironment): Issue => {
  const requests = journal.entries().filter(({ operation }) => operation === undefined)
  if (requests.length === 0) return undefined
  const message = requests
    .map(({ method, number, path }) => `request ${number}, ${method} ${path}, matches no operation of the API`)
    .join("\n")
  return { message, requests }
}

const noUnmatchedRequests = ({ unmatchedRequests }: CheckedEnvironment): Issue => {
  const lines = unmatchedRequestLines(unmatchedRequests)
  if (lines.length === 0) return undefined
  return { message: [...lines, "Give the code under test the API key of this environment."].join("\n"), requests: [] }
}

/** A check of sequences, of which at least one must count: a test about retries in which nothing was retried shows nothing. */
interface SequenceCheck {
  readonly counts: (sequences: ReadonlyArray<Sequence>) => boolean
  /** The sentence for the case that no request counts. */
  readonly absence: string
  readonly check: (sequences: ReadonlyArray<Sequence>) => Issue
}

const checkSequences = (
  { journal }: CheckedEnvironment,
  target: NamedTarget,
  { absence, check, counts }: SequenceCheck
): Issue => {
  const sequences = sequencesOf(journal.entries(), target)
  return counts(sequences) ? check(sequences) : nothingToCheck(`no request for ${describeTarget(target)} ${absence}`)
}

const checkRetries = (environment: CheckedEnvironment, target: NamedTarget, check: SequenceCheck["check"]): Issue =>
  checkSequences(environment, target, {
    counts: (sequences) => retriesIn(sequences).length > 0,
    absence: "was retried",
    check
  })

interface Expectation<Fields extends Schema.Struct.Fields> {
  readonly summary: string
  readonly fields: Fields
  readonly check: (environment: CheckedEnvironment, input: Schema.Struct.Type<Fields>) => Issue
}

const expectation = <const Fields extends Schema.Struct.Fields>(
  summary: string,
  fields: Fields,
  check: Expectation<Fields>["check"]
): Expectation<Fields> => ({ summary, fields, check })

const target = Schema.optionalKey(TargetInput)

const isFunction = (value: unknown): value is (retry: number) => RetryDelay => typeof value === "function"

const backoff: Schema.Decoder<Backoff> = Schema.Union([
  RetryDelayInput,
  Schema.Array(RetryDelayInput),
  Schema.declare(isFunction, {
    expected: "an object with atLeastMs, atMostMs or both, or an array of such objects"
  })
])

/** The expectations by name. @internal */
export const expectations = {
  appliedOnce: expectation("Applied exactly once, however often it was requested", { target }, (environment, input) =>
    applied(environment, 1, input.target ?? {})
  ),
  applied: expectation(
    "Applied this often, all requests together",
    { count: integer(0), target },
    (environment, input) => applied(environment, input.count, input.target ?? {})
  ),
  received: expectation(
    "Received with this content: body, query and headers; at least once, or this often",
    { request: ExpectedRequestInput, count: Schema.optionalKey(integer(0)) },
    (environment, { count, request }) => received(environment, request, count)
  ),
  neverRequested: expectation("Never requested", { target }, (environment, input) =>
    neverRequested(environment, input.target ?? {})
  ),
  backedOff: expectation(
    "The client waited as long as expected before each retry",
    { backoff, target },
    (environment, input) =>
      checkRetries(environment, input.target ?? {}, (sequences) => backoffIssue(sequences, input.backoff))
  ),
  honouredRetryAfter: expectation("No retry came earlier than Retry-After allows", { target }, (environment, input) =>
    checkSequences(environment, input.target ?? {}, {
      counts: (sequences) => hintedRetries(sequences).length > 0,
      absence: "was retried after a response with Retry-After",
      check: retryAfterIssue
    })
  ),
  usedOneKey: expectation(
    "Every retry carried the idempotency key of the first request",
    { target },
    (environment, input) => checkRetries(environment, input.target ?? {}, keyIssue)
  ),
  sentNothingAfter: expectation(
    "No retry came later than this after the first request",
    { deadlineMs: Milliseconds, target },
    (environment, input) =>
      checkSequences(environment, input.target ?? {}, {
        counts: (sequences) => sequences.length > 0,
        absence: "came",
        check: (sequences) => deadlineIssue(sequences, input.deadlineMs)
      })
  ),
  neverRetriedOn: expectation(
    "No request was retried after a response with one of these statuses",
    { statuses: Schema.Array(Schema.Int), target },
    (environment, { statuses, target: given = {} }) =>
      checkSequences(environment, given, {
        counts: (sequences) => sequences.flat().some((entry) => gotStatus(entry, statuses)),
        absence: `got a response ${statuses.join(" or ")}`,
        check: (sequences) => retriedIssue(sequences, statuses)
      })
  ),
  hadAtMostInFlight: expectation(
    "At no time more requests in flight than this",
    { count: integer(1), target },
    (environment, input) => hadAtMostInFlight(environment, input.count, input.target ?? {})
  ),
  noContradictions: expectation(
    "No client got a success without effect or a failure with one, or added device tokens twice",
    { target },
    (environment, input) => noContradictions(environment, input.target ?? {})
  ),
  noLeaks: expectation("No request named an id of another environment", {}, (environment) => leakIssue(environment)),
  noUnfiredFaults: expectation("Every armed fault happened", {}, noUnfiredFaults),
  noUnexpectedRequests: expectation("Every request matched an operation of the API", {}, noUnexpectedRequests),
  noUnmatchedRequests: expectation(
    "No request came without an API key, or with one that no environment has",
    {},
    noUnmatchedRequests
  )
} as const

/** The name of an expectation. @internal */
export type ExpectationName = keyof typeof expectations

/** The names of all expectations. @internal */
export const expectationNames = Object.keys(expectations) as ReadonlyArray<ExpectationName> // keys of a literal
