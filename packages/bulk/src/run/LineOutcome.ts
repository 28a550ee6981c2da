/**
 * Outcomes of lines that are not sent.
 */
import type { ReadLine } from "../input/LineRequest.ts"
import type { OutcomeRecord } from "../journal/JournalRecord.ts"

/** The outcome of an invalid line. */
export const invalid = (line: number, [issue]: Exclude<ReadLine, { readonly kind: unknown }>): OutcomeRecord => ({
  line,
  outcome: "invalid",
  reason: "InvalidRequest",
  message: issue === undefined ? undefined : [issue.path, issue.rule].filter((part) => part !== "").join(": "),
  column: issue?.column
})

/** The outcome of a line that may have been applied, and cannot be sent again without harm. */
export const interrupted = (line: number, generation: number, isKeyExpired = false): OutcomeRecord => ({
  line,
  outcome: "unknown",
  reason: "Interrupted",
  message: `the process ended while the line was in flight${
    isKeyExpired ? ", longer ago than the service keeps idempotency keys" : ""
  }; it may have been applied`,
  nextGeneration: generation
})
