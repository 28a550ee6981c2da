import { preciseClock } from "@signalbox/operator/text/Moment"
import type { Message } from "./Message.ts"
import type { Problem } from "@signalbox/operator/report/ProblemReport"
import type { State } from "./State.ts"

/** Something that happened, for whoever asks later what it was that the screen said. */
export interface Happening {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly text: string
}

/** How many are kept: what is older is in the log of the service. */
const most = 500

const problemText = ({ advice, requestId, summary }: Problem): string =>
  `${summary}${requestId === undefined ? "" : ` (request ${requestId})`} ${advice}`

/** What a message means for the record: changes that begin, and everything that failed. */
const textOf = ({ tasks }: State, message: Message): string | undefined => {
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

/** The record after a message. Of what the status line said, only results are kept: not why a key did nothing. */
export const recorded = (before: State, after: State, message: Message): ReadonlyArray<Happening> => {
  const { notice, now } = after
  const said = notice !== before.notice && (notice?.tone === "ok" || notice?.tone === "failed") ? [notice.text] : []
  const texts = [textOf(after, message) ?? [], said].flat()
  return texts.length === 0
    ? before.history
    : [...before.history, ...texts.map((text) => ({ at: now, text }))].slice(-most)
}

/** The record as lines, the latest first. */
export const historyText = (history: ReadonlyArray<Happening>): string =>
  history
    .toReversed()
    .map(({ at, text }) => `${preciseClock(at)}Z  ${text}`)
    .join("\n")
