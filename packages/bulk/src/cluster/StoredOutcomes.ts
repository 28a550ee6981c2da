/**
 * Outcomes of a chunk as the database has them: ranges of lines that succeeded, and the other lines one by one.
 */
import type { OutcomeRecord } from "../journal/JournalRecord.ts"
import { type LineSpan, type OutcomeCounts, rangesOf } from "../journal/LineStates.ts"

/** The outcome of a line, and the pass in which it got it. */
export interface ChunkOutcome extends OutcomeRecord {
  /** 1, and one more for each retry of the failed lines. */
  readonly pass: number
}

/** Outcomes of a chunk. */
export interface StoredOutcomes {
  readonly succeeded: ReadonlyArray<LineSpan>
  readonly others: ReadonlyArray<ChunkOutcome>
}

const hasSucceeded = ({ mayHaveBeenAppliedTwice, outcome }: ChunkOutcome): boolean =>
  outcome === "succeeded" && mayHaveBeenAppliedTwice !== true

/** Outcomes in the form of the database; `outcomes` are in the order of the lines. */
export const store = (outcomes: ReadonlyArray<ChunkOutcome>): StoredOutcomes => ({
  succeeded: rangesOf(outcomes.filter(hasSucceeded).map(({ line }) => line)),
  others: outcomes.filter((outcome) => !hasSucceeded(outcome))
})

const byLine = (a: ChunkOutcome, b: ChunkOutcome): number => a.line - b.line

/** The outcomes, in the order of the lines. */
export const restore = ({ others, succeeded }: StoredOutcomes): ReadonlyArray<ChunkOutcome> =>
  [
    ...others,
    ...succeeded.flatMap(([from, to]) =>
      Array.from({ length: to - from + 1 }, (_, at): ChunkOutcome => ({
        line: from + at,
        outcome: "succeeded",
        pass: 0
      }))
    )
  ].sort(byLine)

/** Outcomes after some lines got new ones. A line that may have been applied twice stays so. */
export const merge = (
  before: ReadonlyArray<ChunkOutcome>,
  now: ReadonlyArray<ChunkOutcome>
): ReadonlyArray<ChunkOutcome> => {
  const merged = new Map(before.map((outcome) => [outcome.line, outcome]))
  for (const outcome of now) {
    const wasTwice = merged.get(outcome.line)?.mayHaveBeenAppliedTwice === true
    merged.set(outcome.line, wasTwice ? { ...outcome, mayHaveBeenAppliedTwice: true } : outcome)
  }
  return [...merged.values()].sort(byLine)
}

/** How many lines have each outcome. */
export const countsOf = (outcomes: ReadonlyArray<ChunkOutcome>): OutcomeCounts & { readonly maybeTwice: number } => {
  const counts = { succeeded: 0, failed: 0, unknown: 0, invalid: 0, maybeTwice: 0 }
  for (const { mayHaveBeenAppliedTwice, outcome } of outcomes) {
    counts[outcome]++
    if (mayHaveBeenAppliedTwice) counts.maybeTwice++
  }
  return counts
}
