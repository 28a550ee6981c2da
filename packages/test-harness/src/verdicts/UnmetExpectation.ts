import type { JournalEntry } from "../journal/JournalEntry.ts"
import { timeline, type WatchedEnvironment } from "./Timeline.ts"
import { columns, wrapped } from "./Wrap.ts"

export interface ExpectationIssue {
  readonly message: string
  readonly requests: ReadonlyArray<JournalEntry>
}

/** An expectation that is not met; its message ends with the timeline of the requests. */
export class UnmetExpectation extends Error {
  override readonly name = "UnmetExpectation"
  /** The issue, without the timeline. */
  readonly issue: string

  /** The stack starts where `calledAs` was called, in the test, on platforms that support it. */
  constructor(
    environment: WatchedEnvironment,
    { message, requests }: ExpectationIssue,
    calledAs?: (...input: never) => unknown
  ) {
    const lines = message.split("\n").flatMap((line) => wrapped(line, columns))
    super(`${lines.join("\n")}\n\n${timeline(environment, { marked: requests })}`)
    this.issue = message
    if (calledAs !== undefined && "captureStackTrace" in Error) Error.captureStackTrace(this, calledAs)
  }
}
