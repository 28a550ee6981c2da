/**
 * What a test may expect of the requests that an environment got.
 */
import type * as Effect from "effect/Effect"
import type { Environment } from "../Environment.ts"
import type { JournalEntry } from "../journal/JournalEntry.ts"
import { strangerLines } from "../journal/Strangers.ts"
import { refuseEvicted } from "./JournalEvicted.ts"
import { leakComplaint } from "./LeakComplaint.ts"
import {
  type BackOff,
  backOffComplaint,
  deadlineComplaint,
  hintComplaint,
  hintedPairs,
  inFlightComplaint,
  keyComplaint,
  repeatedComplaint,
  wasTold
} from "./RepeatPolicy.ts"
import { pairsOf, type Sequence, sequencesOf } from "./Sequences.ts"
import {
  describeTarget,
  isMeant,
  type ExpectationTarget,
  type ExpectationTargetInput,
  targetOf
} from "./ExpectationTarget.ts"
import { times } from "./Times.ts"
import { type Complaint, UnmetExpectation } from "./UnmetExpectation.ts"
import { verdicts } from "./Verdict.ts"
import { type Seen, waitForEffect, waitForPromise, type WaitOptions } from "./WaitFor.ts"

/**
 * What a test may expect of an environment. Each expectation throws {@link UnmetExpectation} with a timeline where it
 * does not hold, and otherwise gives the same expectations again, so that they can be written in one chain.
 *
 * Without a target an expectation is about all requests. One that finds nothing to judge does not hold: a test about
 * repeats in which nothing was repeated shows nothing. Times are those of the environment's clock, in milliseconds.
 */
export interface FakeExpectations {
  /** What is meant was applied exactly once, however often it was asked for. */
  readonly appliedOnce: (target?: ExpectationTargetInput) => FakeExpectations
  /** What is meant was applied so many times, all requests together. */
  readonly applied: (times: number, target?: ExpectationTargetInput) => FakeExpectations
  /** No request asked for what is meant. */
  readonly neverAsked: (target?: ExpectationTargetInput) => FakeExpectations
  /** Between the end of a request and its repeat the client waited as long as it should. */
  readonly backedOff: (backOff: BackOff, target?: ExpectationTargetInput) => FakeExpectations
  /** No repeat came sooner than `Retry-After` of the answer before it allows. */
  readonly honouredRetryAfter: (target?: ExpectationTargetInput) => FakeExpectations
  /** Every repeat carried the idempotency key of the first request. */
  readonly usedOneKey: (target?: ExpectationTargetInput) => FakeExpectations
  /** No repeat came later than so many milliseconds after the first request. */
  readonly sentNothingAfter: (millis: number, target?: ExpectationTargetInput) => FakeExpectations
  /** No request was repeated that was answered with this status, or with one of these. */
  readonly neverRepeatedOn: (
    status: number | ReadonlyArray<number>,
    target?: ExpectationTargetInput
  ) => FakeExpectations
  /** At no time were more requests in flight. */
  readonly hadAtMostInFlight: (count: number, target?: ExpectationTargetInput) => FakeExpectations
  /**
   * Clients were told what happened: no success without effect, no failure with one, no device tokens that were added
   * more than once.
   */
  readonly noContradictions: (target?: ExpectationTargetInput) => FakeExpectations
  /** No request named an id that belongs to another environment, which two tests share then. */
  readonly noLeaks: () => FakeExpectations
  /** Every armed fault happened. */
  readonly noUnfiredFaults: () => FakeExpectations
  /** Every request was for an operation of the API. */
  readonly noUnexpectedRequests: () => FakeExpectations
  /** No request came without an API key, or with one that no environment of the fake has. */
  readonly noStrangers: () => FakeExpectations
  /** Waits until the journal shows it, without polling; rejects after the timeout. */
  readonly waitFor: (predicate: (seen: Seen) => boolean, options?: WaitOptions) => Promise<void>
  /** Waits until the journal shows it, without polling; the timeout is on the caller's clock. */
  readonly waitForEffect: (
    predicate: (seen: Seen) => boolean,
    options?: WaitOptions
  ) => Effect.Effect<void, UnmetExpectation>
}

type Judged = Pick<Environment, "journal" | "number" | "strangers" | "faults">

const checkCount = (name: string, count: number, from: number): void => {
  if (Number.isInteger(count) && count >= from) return
  throw new RangeError(`expectFake: ${name} takes a whole number from ${from}, not ${count}`)
}

const checkMillis = (name: string, millis: number): void => {
  if (millis >= 0) return
  throw new RangeError(`expectFake: ${name} takes milliseconds from 0, not ${millis}`)
}

const asked = (judged: Judged, target: ExpectationTarget): ReadonlyArray<JournalEntry> =>
  judged.journal.entries().filter((entry) => isMeant(target, entry))

const appliedComplaint = (judged: Judged, expected: number, target: ExpectationTarget): Complaint | undefined => {
  if (target.operation === "events.list") {
    throw new RangeError("expectFake: events.list changes nothing, so it cannot be applied; use neverAsked or waitFor")
  }
  const requests = asked(judged, target)
  const count = requests.filter(({ applied }) => applied).length
  if (count === expected) return undefined
  const found =
    requests.length === 0
      ? "was never asked for"
      : `was asked for ${times(requests.length)} and applied ${times(count)}`
  const wanted = expected === 0 ? "never to be applied" : `to be applied ${times(expected)}`
  return { words: `${describeTarget(target)} ${found}, expected ${wanted}`, shownBy: requests }
}

const neverAskedComplaint = (judged: Judged, target: ExpectationTarget): Complaint | undefined => {
  const requests = asked(judged, target)
  return requests.length === 0
    ? undefined
    : { words: `${describeTarget(target)} was asked for ${times(requests.length)}, expected never`, shownBy: requests }
}

const contradictionComplaint = (judged: Judged, target: ExpectationTarget): Complaint | undefined => {
  const meant = verdicts(judged.journal).filter((verdict) => isMeant(target, verdict))
  if (meant.length === 0) return nothingToJudge(`${describeTarget(target)} was never asked for`)
  const found = meant.filter(({ contradiction }) => contradiction !== undefined)
  if (found.length === 0) return undefined
  return {
    words: found.map(({ attempts, contradiction }) => `request ${attempts[0]?.number}: ${contradiction}`).join("; "),
    shownBy: found.flatMap(({ attempts }) => attempts)
  }
}

const faultComplaint = ({ faults }: Judged): Complaint | undefined => {
  const unfired = faults.unfired()
  return unfired.length === 0 ? undefined : { words: unfired.map(({ message }) => message).join("\n"), shownBy: [] }
}

const unexpectedComplaint = ({ journal }: Judged): Complaint | undefined => {
  const shownBy = journal.entries().filter(({ operation }) => operation === undefined)
  return shownBy.length === 0
    ? undefined
    : {
        words: shownBy
          .map(({ method, number, path }) => `request ${number}, ${method} ${path}, is for no operation of the API`)
          .join("\n"),
        shownBy
      }
}

const strangersComplaint = ({ strangers }: Judged): Complaint | undefined => {
  const lines = strangerLines(strangers)
  return lines.length === 0 ? undefined : { words: lines.join("\n"), shownBy: [] }
}

const nothingToJudge = (words: string): Complaint => ({ words: `${words}, so there is nothing to judge`, shownBy: [] })

/** What is demanded of sequences, of which at least one has to count. */
interface Demand {
  readonly counts: (sequences: ReadonlyArray<Sequence>) => boolean
  /** What no request did, where none counts. */
  readonly absence: string
  readonly complain: (sequences: ReadonlyArray<Sequence>) => Complaint | undefined
}

const ofRepeats = (complain: Demand["complain"]): Demand => ({
  counts: (sequences) => pairsOf(sequences).length > 0,
  absence: "was repeated",
  complain
})

const inFlightDemand = (
  most: number,
  target: ExpectationTarget,
  requests: ReadonlyArray<JournalEntry>
): Complaint | undefined =>
  requests.length === 0
    ? nothingToJudge(`no request for ${describeTarget(target)} came`)
    : inFlightComplaint(requests, most)

/**
 * What a test may expect of an environment of a fake; for a fake itself, of its first environment.
 *
 * **When to use**: after the code under test has run, in any test runner: what does not hold is thrown as a plain error.
 *
 * @throws UnmetExpectation, from each expectation that does not hold.
 * @throws JournalEvicted, from each expectation, when requests were forgotten.
 * @example
 * ```ts
 * import { createFake, expectFake } from "@signalbox/test-harness"
 *
 * const fake = createFake()
 * await fake.fetch(`${fake.baseUrl}/v1/notifications`, { headers: { authorization: `ApiKey ${fake.apiKey}` } })
 * expectFake(fake).neverAsked("messages.markAs").noLeaks().noUnexpectedRequests()
 * ```
 */
export const expectFake = (judged: Judged): FakeExpectations => {
  const demand = (name: keyof FakeExpectations, complain: () => Complaint | undefined): FakeExpectations => {
    refuseEvicted(judged.journal)
    const complaint = complain()
    if (complaint !== undefined) throw new UnmetExpectation(judged, complaint, expectations[name])
    return expectations
  }

  /** Demands something of sequences, of which at least one has to count. */
  const demandOf = (
    name: keyof FakeExpectations,
    input: ExpectationTargetInput | undefined,
    demanded: Demand
  ): FakeExpectations =>
    demand(name, () => {
      const target = targetOf(input)
      const sequences = sequencesOf(judged.journal.entries(), target)
      return demanded.counts(sequences)
        ? demanded.complain(sequences)
        : nothingToJudge(`no request for ${describeTarget(target)} ${demanded.absence}`)
    })

  const expectations: FakeExpectations = {
    appliedOnce: (target) => demand("appliedOnce", () => appliedComplaint(judged, 1, targetOf(target))),
    applied: (count, target) => {
      checkCount("applied", count, 0)
      return demand("applied", () => appliedComplaint(judged, count, targetOf(target)))
    },
    neverAsked: (target) => demand("neverAsked", () => neverAskedComplaint(judged, targetOf(target))),
    backedOff: (backOff, target) =>
      demandOf(
        "backedOff",
        target,
        ofRepeats((sequences) => backOffComplaint(sequences, backOff))
      ),
    honouredRetryAfter: (target) =>
      demandOf("honouredRetryAfter", target, {
        counts: (sequences) => hintedPairs(sequences).length > 0,
        absence: "was repeated after an answer with Retry-After",
        complain: hintComplaint
      }),
    usedOneKey: (target) => demandOf("usedOneKey", target, ofRepeats(keyComplaint)),
    sentNothingAfter: (millis, target) => {
      checkMillis("sentNothingAfter", millis)
      return demandOf("sentNothingAfter", target, {
        counts: (sequences) => sequences.length > 0,
        absence: "came",
        complain: (sequences) => deadlineComplaint(sequences, millis)
      })
    },
    neverRepeatedOn: (status, target) => {
      const statuses = typeof status === "number" ? [status] : status
      return demandOf("neverRepeatedOn", target, {
        counts: (sequences) => sequences.flat().some((entry) => wasTold(entry, statuses)),
        absence: `was answered ${statuses.join(" or ")}`,
        complain: (sequences) => repeatedComplaint(sequences, statuses)
      })
    },
    hadAtMostInFlight: (count, input) => {
      checkCount("hadAtMostInFlight", count, 1)
      const target = targetOf(input)
      return demand("hadAtMostInFlight", () => inFlightDemand(count, target, asked(judged, target)))
    },
    noContradictions: (target) => demand("noContradictions", () => contradictionComplaint(judged, targetOf(target))),
    noLeaks: () => demand("noLeaks", () => leakComplaint(judged)),
    noUnfiredFaults: () => demand("noUnfiredFaults", () => faultComplaint(judged)),
    noUnexpectedRequests: () => demand("noUnexpectedRequests", () => unexpectedComplaint(judged)),
    noStrangers: () => demand("noStrangers", () => strangersComplaint(judged)),
    waitFor: (predicate, options = {}) => waitForPromise(judged, predicate, options),
    waitForEffect: (predicate, options = {}) => waitForEffect(judged, predicate, options)
  }
  return expectations
}
