/**
 * The lines of a chunk during an attempt: what the storage has, and what the attempt adds.
 */
import type { OutcomeRecord } from "../journal/JournalRecord.ts"
import { isPending } from "../journal/LineStates.ts"
import type { LineFacts, Lines } from "../run/Units.ts"
import type { TakenChunk } from "./ChunkStore.ts"
import type { ChunkOutcome } from "./StoredOutcomes.ts"

/** Starts an attempt. */
export const makeChunkState = ({ claims: before, earlier, isKeyExpired, pass }: TakenChunk) => {
  const known = new Map(earlier.map((outcome) => [outcome.line, outcome]))
  const claimed = new Map(before.flatMap((lines) => lines.map((line) => [line, lines] as const)))
  const recorded = new Map<number, ChunkOutcome>()
  let claims = before
  const isOpen = (line: number): boolean => (recorded.get(line) ?? known.get(line))?.outcome === "unknown"
  return {
    isPending: (line: number): boolean => isPending(known.get(line), pass),
    factsOf: (line: number): LineFacts => {
      const outcome = known.get(line)
      const sentWith = claimed.get(line)
      const isInDoubt = outcome === undefined && sentWith !== undefined
      const isUnknown = outcome?.outcome === "unknown"
      return {
        generation: outcome?.nextGeneration ?? 0,
        isInDoubt,
        isUnknown,
        isKeyExpired: isKeyExpired && (isInDoubt || isUnknown),
        sentWith: sentWith ?? (outcome && [line])
      }
    },
    /** Adds claims, which replace others of the same lines, and returns all. */
    claim: (now: ReadonlyArray<Lines>): ReadonlyArray<Lines> => {
      const replaced = new Set(now.flat())
      const left = claims.filter((lines) =>
        lines.some((line) => !replaced.has(line) && (isOpen(line) || !recorded.has(line)))
      )
      claims = [...left, ...now]
      return claims
    },
    record: (records: ReadonlyArray<OutcomeRecord>, unchanged: ReadonlyArray<number>): void => {
      const kept = unchanged.flatMap((line) => known.get(line) ?? [])
      for (const record of [...kept, ...records]) recorded.set(record.line, { pass, ...record })
    },
    /** Outcomes of the lines that were done. */
    outcomes: (): ReadonlyArray<ChunkOutcome> => [...recorded.values()],
    /** The claims of lines whose outcome is not certain: lines of this attempt that have no outcome were not sent. */
    openClaims: () =>
      claims.filter((lines) => lines.some((line) => isOpen(line) || (claimed.has(line) && !recorded.has(line))))
  }
}
