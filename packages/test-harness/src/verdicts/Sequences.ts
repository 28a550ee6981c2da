/**
 * Which request retries which.
 */
import type { JournalEntry } from "../journal/JournalEntry.ts"
import { type NamedTarget, matches } from "./ExpectationTarget.ts"

/** A request and its retries, in order. */
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
