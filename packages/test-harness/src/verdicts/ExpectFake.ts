import * as Schema from "effect/Schema"
import { inputReader } from "../input/Input.ts"
import { withOperationName } from "../input/RouteNames.ts"
import { type ExpectationTargetInput, targetOf } from "./ExpectationTarget.ts"
import type { ExpectedRequest } from "./ExpectedRequest.ts"
import { type CheckedEnvironment, type ExpectationName, expectations } from "./Expectations.ts"
import { checkNotEvicted } from "./JournalEvicted.ts"
import type { Backoff } from "./RetryChecks.ts"
import { UnmetExpectation } from "./UnmetExpectation.ts"
import { type Seen, waitForPromise, type WaitOptions } from "./WaitFor.ts"

/**
 * Expectations about an environment. An expectation that is not met throws {@link UnmetExpectation} with a timeline;
 * one that is met returns the same object, so expectations can be chained.
 *
 * Without a target an expectation is about all requests. One that finds nothing to check is not met: a test about
 * retries in which nothing was retried shows nothing. Times are those of the environment's clock, in milliseconds.
 */
export interface FakeExpectations {
  /** Applied exactly once, however often it was requested. */
  readonly appliedOnce: (target?: ExpectationTargetInput) => FakeExpectations
  /** Applied this often, all requests together. */
  readonly applied: (count: number, target?: ExpectationTargetInput) => FakeExpectations
  /**
   * Received with this content, at least once, or exactly `count` times. The error names how the nearest request differs.
   */
  readonly received: (request: ExpectedRequest, count?: number) => FakeExpectations
  /** Never requested. */
  readonly neverRequested: (target?: ExpectationTargetInput) => FakeExpectations
  /** The client waited as long as expected between the end of a request and its retry. */
  readonly backedOff: (backoff: Backoff, target?: ExpectationTargetInput) => FakeExpectations
  /** No retry came earlier than `Retry-After` of the previous response allows. */
  readonly honouredRetryAfter: (target?: ExpectationTargetInput) => FakeExpectations
  /** Every retry carried the idempotency key of the first request. */
  readonly usedOneKey: (target?: ExpectationTargetInput) => FakeExpectations
  /** No retry came later than this many milliseconds after the first request. */
  readonly sentNothingAfter: (deadlineMs: number, target?: ExpectationTargetInput) => FakeExpectations
  /** No request was retried after a response with this status, or with one of these. */
  readonly neverRetriedOn: (status: number | ReadonlyArray<number>, target?: ExpectationTargetInput) => FakeExpectations
  /** At no time were more requests in flight. */
  readonly hadAtMostInFlight: (count: number, target?: ExpectationTargetInput) => FakeExpectations
  /**
   * The responses to clients agree with the changes that were made: no success without effect, no failure with one, no
   * device tokens added more than once.
   */
  readonly noContradictions: (target?: ExpectationTargetInput) => FakeExpectations
  /** No request named an id that belongs to another environment: no two tests share data. */
  readonly noLeaks: () => FakeExpectations
  /** Every armed fault happened. */
  readonly noUnfiredFaults: () => FakeExpectations
  /** Every request matched an operation of the API. */
  readonly noUnexpectedRequests: () => FakeExpectations
  /** No request came without an API key, or with one that no environment of the fake has. */
  readonly noUnmatchedRequests: () => FakeExpectations
  /** Waits, without polling, until the journal meets a condition; rejects after the timeout. */
  readonly waitFor: (predicate: (seen: Seen) => boolean, options?: WaitOptions) => Promise<void>
}

type Input<Name extends ExpectationName> = Parameters<(typeof expectations)[Name]["check"]>[1]

const readers = new Map<ExpectationName, (value: unknown) => unknown>()

/**
 * Reads the input of an expectation.
 *
 * @throws RangeError that names the field and what is expected.
 */
const readInput = (name: ExpectationName, input: unknown): unknown => {
  let read = readers.get(name)
  if (read === undefined) {
    const fields: Readonly<Record<string, Schema.Decoder<unknown>>> = expectations[name].fields
    read = inputReader<unknown>(`expectFake.${name}`, () => Schema.Struct(fields))
    readers.set(name, read)
  }
  return read(input)
}

/**
 * Checks one expectation by its name, with its input as JSON.
 *
 * @throws UnmetExpectation, JournalEvicted, and RangeError for invalid input.
 *
 * @internal
 */
export const checkExpectation = (environment: CheckedEnvironment, name: ExpectationName, input: unknown): void =>
  check(environment, name, readInput(name, input))

const check = (
  environment: CheckedEnvironment,
  name: ExpectationName,
  input: unknown,
  calledAs?: (...input: never) => unknown
) => {
  checkNotEvicted(environment.journal)
  // Each input was read by the schema of the same record.
  const run = expectations[name].check as (environment: CheckedEnvironment, input: unknown) => Issue
  const issue = run(environment, input)
  if (issue !== undefined) throw new UnmetExpectation(environment, issue, calledAs)
}

type Issue = ReturnType<(typeof expectations)["noLeaks"]["check"]>

/**
 * Expectations about an environment of a fake; for a fake, about its first environment.
 *
 * **When to use**: after the code under test has run, in any test runner; an unmet expectation is a plain error.
 *
 * @throws UnmetExpectation, from each expectation that is not met.
 * @throws JournalEvicted, from each expectation, after requests were evicted from the journal.
 * @example
 * ```ts
 * import { createFake, expectFake } from "@signalbox/test-harness"
 *
 * const fake = createFake()
 * await fake.fetch(`${fake.baseUrl}/v1/notifications`, { headers: { authorization: `ApiKey ${fake.apiKey}` } })
 * expectFake(fake).neverRequested("messages.markAs").noLeaks().noUnexpectedRequests()
 * ```
 */
export const expectFake = (environment: CheckedEnvironment): FakeExpectations => {
  // Callers without types can pass anything, such as their client.
  if ((environment as Partial<CheckedEnvironment> | undefined)?.journal === undefined)
    throw new RangeError("expectFake: must be called with a fake, or one of its environments")
  const demand = <Name extends ExpectationName>(name: Name, input: Input<Name>): FakeExpectations => {
    check(environment, name, readInput(name, input), expected[name])
    return expected
  }
  const withTarget = (target: ExpectationTargetInput | undefined) => ({ target: targetOf(target) })
  const expected: FakeExpectations = {
    appliedOnce: (target) => demand("appliedOnce", withTarget(target)),
    applied: (count, target) => demand("applied", { count, ...withTarget(target) }),
    received: (request, count) =>
      demand("received", { request: withOperationName(request), ...(count === undefined ? {} : { count }) }),
    neverRequested: (target) => demand("neverRequested", withTarget(target)),
    backedOff: (backoff, target) => demand("backedOff", { backoff, ...withTarget(target) }),
    honouredRetryAfter: (target) => demand("honouredRetryAfter", withTarget(target)),
    usedOneKey: (target) => demand("usedOneKey", withTarget(target)),
    sentNothingAfter: (deadlineMs, target) => demand("sentNothingAfter", { deadlineMs, ...withTarget(target) }),
    neverRetriedOn: (status, target) =>
      demand("neverRetriedOn", { statuses: typeof status === "number" ? [status] : status, ...withTarget(target) }),
    hadAtMostInFlight: (count, target) => demand("hadAtMostInFlight", { count, ...withTarget(target) }),
    noContradictions: (target) => demand("noContradictions", withTarget(target)),
    noLeaks: () => demand("noLeaks", {}),
    noUnfiredFaults: () => demand("noUnfiredFaults", {}),
    noUnexpectedRequests: () => demand("noUnexpectedRequests", {}),
    noUnmatchedRequests: () => demand("noUnmatchedRequests", {}),
    waitFor: (predicate, options = {}) => waitForPromise(environment, predicate, options)
  }
  return expected
}
