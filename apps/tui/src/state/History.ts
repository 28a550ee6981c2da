import { utc } from "@signalbox/operator/text/Zone"
import type { Notice, Task } from "./Feedback.ts"
import type { Msg } from "./Msg.ts"
import type { Problem } from "@signalbox/operator/report/ProblemReport"

/** Something that happened: a change, a failure, or the result of a command. */
export interface HistoryEntry {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly text: string
}

/** The part of the state that the history is made from. */
interface HistorySource {
  readonly history: ReadonlyArray<HistoryEntry>
  readonly notice: Notice | undefined
  readonly now: number
  readonly tasks: ReadonlyArray<Task>
}

/** The number of entries that are kept: older ones are in the log of the service. */
const maxEntries = 500

const problemText = ({ advice, requestId, summary }: Problem): string =>
  `${summary}${requestId === undefined ? "" : ` (request ${requestId})`} ${advice}`

/** The text of a message in the record: changes that start, and everything that failed. */
const textOf = ({ tasks }: HistorySource, message: Msg): string | undefined => {
  switch (message._tag) {
    case "TaskStarted":
      return message.task.writes ? message.task.label : undefined
    case "TaskNoted":
      return `${tasks.find(({ id }) => id === message.id)?.label ?? "a call"}: ${message.note}`
    case "EventsFailed":
    case "EventFailed":
    case "CredentialsRefused":
    case "MarkFailed":
      return problemText(message.problem)
    default:
      return undefined
  }
}

/** The record after a message. From the status line, only results are kept: not why a key had no effect. */
export const recorded = (before: HistorySource, after: HistorySource, message: Msg): ReadonlyArray<HistoryEntry> => {
  const { notice, now } = after
  const isResult = notice !== before.notice && (notice?.tone === "ok" || notice?.tone === "failed")
  // After the outcome of a form, its notice names the next key.
  const result = message._tag === "CredentialsSaved" ? notice?.text.split("; ")[0] : notice?.text
  const results = isResult && result !== undefined ? [result] : []
  const lines = [textOf(after, message) ?? [], results].flat()
  return lines.length === 0
    ? after.history
    : [...after.history, ...lines.map((text) => ({ at: now, text }))].slice(-maxEntries)
}

/** The record as lines, the latest first. */
export const historyText = (history: ReadonlyArray<HistoryEntry>): string =>
  history
    .toReversed()
    .map(({ at, text }) => `${utc.preciseClock(at)}Z  ${text}`)
    .join("\n")
