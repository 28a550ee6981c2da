/**
 * Which request repeats which.
 */
import type { JournalEntry } from "../journal/JournalEntry.ts"
import { isMeant, type ExpectationTarget } from "./ExpectationTarget.ts"

/** Requests for the same thing, each a repeat of the one before it. */
export type Sequence = [first: JournalEntry, ...repeats: Array<JournalEntry>]

/** A request and the one that repeats it. */
export interface Pair {
  readonly before: JournalEntry
  readonly after: JournalEntry
}

/**
 * The sequences of what is meant. Unlike a logical operation, a sequence goes on where a client repeats a request with
 * another key.
 */
export const sequencesOf = (
  entries: ReadonlyArray<JournalEntry>,
  target: ExpectationTarget
): ReadonlyArray<Sequence> => {
  const byLogical = new Map<number, Sequence>()
  const byNumber = new Map<number, Sequence>()
  const sequences: Array<Sequence> = []
  for (const entry of entries) {
    const known = byLogical.get(entry.logical) ?? byNumber.get(entry.repeats ?? 0)
    const sequence: Sequence = known ?? [entry]
    if (known === undefined) sequences.push(sequence)
    else known.push(entry)
    byLogical.set(entry.logical, sequence)
    byNumber.set(entry.number, sequence)
  }
  return sequences.filter((sequence) => sequence.some((entry) => isMeant(target, entry)))
}

/** Every repeat of some sequences, with the request that it repeats. */
export const pairsOf = (sequences: ReadonlyArray<Sequence>): ReadonlyArray<Pair> =>
  sequences.flatMap((sequence) =>
    sequence.slice(1).map((after, index) => ({ before: sequence[index] ?? sequence[0], after }))
  )
