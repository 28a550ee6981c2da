/**
 * The error of an expectation that does not hold.
 */
import type { Environment } from "../Environment.ts"
import type { JournalEntry } from "../journal/JournalEntry.ts"
import { timeline } from "./Timeline.ts"
import { columns, wrapped } from "./Wrap.ts"

/** What does not hold, and the requests that show it. */
export interface Complaint {
  readonly words: string
  readonly shownBy: ReadonlyArray<JournalEntry>
}

/** An expectation of a fake that does not hold; its message ends with the timeline of the requests. */
export class UnmetExpectation extends Error {
  override readonly name = "UnmetExpectation"
  /** What does not hold, without the timeline. */
  readonly complaint: string

  /** The stack begins where `calledAs` was called, in the test, where the platform can do that. */
  constructor(
    environment: Pick<Environment, "journal" | "number" | "strangers">,
    { shownBy, words }: Complaint,
    calledAs?: (...input: never) => unknown
  ) {
    const lines = words.split("\n").flatMap((line) => wrapped(line, columns))
    super(`${lines.join("\n")}\n\n${timeline(environment, { marked: shownBy })}`)
    this.complaint = words
    if (calledAs !== undefined && "captureStackTrace" in Error) Error.captureStackTrace(this, calledAs)
  }
}
