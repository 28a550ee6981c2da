/**
 * Whether a client repeats its requests as it should. Times are those of the environment's clock.
 */
import { checkNames } from "../OptionNames.ts"
import type { JournalEntry } from "../journal/JournalEntry.ts"
import { type Pair, pairsOf, type Sequence } from "./Sequences.ts"
import type { Complaint } from "./UnmetExpectation.ts"

/** How long a client has to wait before it repeats a request, in milliseconds; both bounds are allowed. */
export interface Wait {
  readonly atLeast?: number
  readonly atMost?: number
}

/** The wait before every repeat, before each one in order, or a function of its number: 1 for the first repeat. */
export type BackOff = Wait | ReadonlyArray<Wait> | ((repeat: number) => Wait)

const millis = (count: number): string => `${Math.round(count * 1_000) / 1_000} ms`

const waitWords = ({ atLeast, atMost }: Wait): string => {
  if (atMost === undefined) return `at least ${millis(atLeast ?? 0)}`
  return atLeast === undefined ? `at most ${millis(atMost)}` : `${millis(atLeast)} to ${millis(atMost)}`
}

const isWithin = ({ atLeast = 0, atMost = Infinity }: Wait, waited: number): boolean =>
  waited >= atLeast && waited <= atMost

const isBound = (bound: number | undefined): boolean => bound === undefined || bound >= 0

/** Refuses waits that any repeat would keep. */
const checkWait = (wait: Wait): void => {
  checkNames("expectFake: backedOff.", wait, ["atLeast", "atMost"])
  const { atLeast, atMost } = wait
  const isOne =
    (atLeast ?? atMost) !== undefined && isBound(atLeast) && isBound(atMost) && (atLeast ?? 0) <= (atMost ?? Infinity)
  if (isOne) return
  throw new RangeError(
    `expectFake: backedOff takes atLeast, atMost or both, in milliseconds from 0, not atLeast ${atLeast} and atMost ${atMost}`
  )
}

const plannedWait = (backOff: BackOff, repeat: number): Wait | undefined => {
  if (typeof backOff === "function") return backOff(repeat)
  return "length" in backOff ? backOff[repeat - 1] : backOff
}

const wrongWait = (backOff: BackOff, { after, before }: Pair, repeat: number): string | undefined => {
  if (before.endedAt === undefined)
    return `request ${after.number} repeats request ${before.number}, which is under way`
  const wait = plannedWait(backOff, repeat)
  if (wait === undefined) return `request ${after.number} is repeat ${repeat}, for which no wait is expected`
  checkWait(wait)
  const waited = after.at - before.endedAt
  if (isWithin(wait, waited)) return undefined
  return `request ${after.number} came ${millis(waited)} after the end of request ${before.number}, expected ${waitWords(wait)}`
}

/** Complains about repeats that came too soon or too late. */
export const backOffComplaint = (sequences: ReadonlyArray<Sequence>, backOff: BackOff): Complaint | undefined => {
  for (const sequence of sequences) {
    for (const [index, pair] of pairsOf([sequence]).entries()) {
      const words = wrongWait(backOff, pair, index + 1)
      if (words !== undefined) return { words, shownBy: [pair.after] }
    }
  }
  return undefined
}

/** When an answer allows the next request, by the clock of the environment; `undefined` when it does not say. */
const allowedAt = ({ answerHeaders, endedAt }: JournalEntry): number | undefined => {
  const hint = answerHeaders["retry-after"]
  if (hint === undefined || endedAt === undefined) return undefined
  const seconds = Number(hint)
  const at = Number.isFinite(seconds) ? endedAt + seconds * 1_000 : Date.parse(hint)
  return Number.isNaN(at) ? undefined : at
}

/** The repeats of requests whose answer said when to come again. */
export const hintedPairs = (sequences: ReadonlyArray<Sequence>): ReadonlyArray<Pair> =>
  pairsOf(sequences).filter(({ before }) => allowedAt(before) !== undefined)

/** Complains about repeats that came before the answer allowed them. */
export const hintComplaint = (sequences: ReadonlyArray<Sequence>): Complaint | undefined => {
  for (const { after, before } of hintedPairs(sequences)) {
    const early = (allowedAt(before) ?? 0) - after.at
    if (early > 0) {
      return {
        words: `request ${after.number} came ${millis(early)} sooner than Retry-After ${before.answerHeaders["retry-after"]} of request ${before.number} allows`,
        shownBy: [after]
      }
    }
  }
  return undefined
}

/** Complains about repeats without the key of the first request. */
export const keyComplaint = (sequences: ReadonlyArray<Sequence>): Complaint | undefined => {
  for (const { after, before } of pairsOf(sequences)) {
    if (before.idempotencyKey === undefined) {
      return {
        words: `request ${before.number} has no idempotency key, and request ${after.number} repeats it`,
        shownBy: [before, after]
      }
    }
    if (before.idempotencyKey !== after.idempotencyKey) {
      const key = after.idempotencyKey === undefined ? "no idempotency key" : "another idempotency key"
      return {
        words: `request ${after.number} repeats request ${before.number} with ${key}`,
        shownBy: [before, after]
      }
    }
  }
  return undefined
}

/** Complains about repeats that came later than so many milliseconds after the first request. */
export const deadlineComplaint = (sequences: ReadonlyArray<Sequence>, deadline: number): Complaint | undefined => {
  for (const [first, ...repeats] of sequences) {
    const late = repeats.find(({ at }) => at - first.at > deadline)
    if (late !== undefined) {
      return {
        words: `request ${late.number} came ${millis(late.at - first.at)} after request ${first.number}, expected nothing later than ${millis(deadline)}`,
        shownBy: [late]
      }
    }
  }
  return undefined
}

/** Whether the client was told one of these statuses. */
export const wasTold = ({ told }: JournalEntry, statuses: ReadonlyArray<number>): boolean =>
  told._tag === "Answer" && statuses.includes(told.status)

/** Complains about repeats of requests that were answered with one of these statuses. */
export const repeatedComplaint = (
  sequences: ReadonlyArray<Sequence>,
  statuses: ReadonlyArray<number>
): Complaint | undefined => {
  const found = pairsOf(sequences).find(({ before }) => wasTold(before, statuses))
  if (found === undefined || found.before.told._tag !== "Answer") return undefined
  const { after, before } = found
  return {
    words: `request ${after.number} repeats request ${before.number}, which was answered ${found.before.told.status}`,
    shownBy: [before, after]
  }
}

/** Complains where more requests were in flight at once. */
export const inFlightComplaint = (entries: ReadonlyArray<JournalEntry>, most: number): Complaint | undefined => {
  let inFlight: ReadonlyArray<JournalEntry> = []
  for (const entry of entries) {
    inFlight = [...inFlight.filter(({ endedAt }) => endedAt === undefined || endedAt > entry.at), entry]
    if (inFlight.length > most) {
      return {
        words: `${inFlight.length} requests were in flight when request ${entry.number} came, expected at most ${most}`,
        shownBy: inFlight
      }
    }
  }
  return undefined
}
