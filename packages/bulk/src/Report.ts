/**
 * The report of a run: one outcome for each line of its input, in the order of the lines.
 */
import type { Files } from "./file/Disk.ts"
import { openFrames } from "./journal/Frame.ts"
import { isOutcome, type OutcomeRecord } from "./journal/JournalRecord.ts"
import type { LineOutcome } from "./journal/LineStates.ts"
import { interrupted } from "./run/LineOutcome.ts"
import type { Recovered } from "./journal/Recovery.ts"

/** Outcome of one line. Refers to the line of the input, whose content it does not show. */
export interface ReportLine extends Omit<OutcomeRecord, "outcome" | "nextGeneration"> {
  /** `unknown` may have been applied; `not-tried` was not sent. */
  readonly outcome: LineOutcome | "not-tried"
}

/** The form of a record in reports. */
export const shown = (record: OutcomeRecord): ReportLine => {
  const { nextGeneration: _, ...line } = record
  return line
}

/** The outcomes of one pass, each found when it is wanted. Wanted in nearly the order in which they were recorded. */
const outcomesOf = (disk: Files, journal: string, pass: number, { states, validBytes }: Recovered) => {
  const read = async function* (): AsyncGenerator<OutcomeRecord, void> {
    let current = 1
    const { frames } = await openFrames(disk, journal)
    for await (const { end, records } of frames) {
      // A process that works on the run may have added commits.
      if (end > validBytes) return
      for (const record of records) {
        if (!isOutcome(record)) {
          if (record.type === "pass") current = record.pass
          if (current > pass) return
        } else if (current === pass && states.passOf(record.line) === pass) yield record
      }
    }
  }
  const records = read()
  const early = new Map<number, OutcomeRecord>()
  const find = async (line: number): Promise<OutcomeRecord | undefined> => {
    const known = early.get(line)
    if (known !== undefined) {
      early.delete(line)
      return known
    }
    for (let next = await records.next(); next.done !== true; next = await records.next()) {
      if (next.value.line === line) return next.value
      early.set(next.value.line, next.value)
    }
    return undefined
  }
  return { find, close: () => records.return() }
}

/** Reads the report of a run from its journal. */
export async function* reportLines(
  disk: Files,
  journal: string,
  recovered: Recovered,
  lines: AsyncIterable<number>,
  isRunning: boolean
): AsyncGenerator<ReportLine, void> {
  const { states } = recovered
  const passes = new Map<number, ReturnType<typeof outcomesOf>>()
  try {
    for await (const line of lines) {
      if (states.isClaimed(line)) {
        yield isRunning ? { line, outcome: "unknown", message: "the line is in flight" } : shown(interrupted(line, 0))
        continue
      }
      const pass = states.passOf(line)
      if (pass === 0) {
        yield { line, outcome: "not-tried" }
        continue
      }
      const records = passes.get(pass) ?? outcomesOf(disk, journal, pass, recovered)
      passes.set(pass, records)
      const found = await records.find(line)
      if (found === undefined) continue
      // A later pass does not undo what an earlier one may have done.
      yield states.isMaybeTwice(line) ? { ...shown(found), mayHaveBeenAppliedTwice: true } : shown(found)
    }
  } finally {
    for (const records of passes.values()) await records.close()
  }
}
