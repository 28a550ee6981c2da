import { messageOf } from "@signalbox/operator/text/SystemReason"
import { MarkManyMessagesAsError, isSignalboxError, type SignalboxError } from "@signalbox/core/Errors"
import { ConnectionError } from "@signalbox/core/Connection"
import { outlet } from "@signalbox/operator/outlet/Outlet"
import { NotRecorded } from "../recording/Replay.ts"
import * as Cause from "effect/Cause"
import type { Problem } from "@signalbox/operator/report/ProblemReport"

const oneLine = (text: string): string => text.replaceAll(/\s+/gu, " ").trim()

/** The failure without the next step that an error's one line ends with: the screens show that separately. */
const withoutNextStep = (line: string, advice: string): string =>
  line.endsWith(advice) ? line.slice(0, line.length - advice.length).trimEnd() : line

/** Words of the screens for those of the SDK, which are for developers. */
const plainWords: ReadonlyArray<readonly [pattern: RegExp, words: string]> = [
  [/^events\.list\b/u, "Reading events"],
  [/^credentials\.upsert\b/u, "Changing credentials"],
  [/^messages\.markAs\b/u, "Marking messages"],
  [/\bfailed with (?:UND_ERR_SOCKET|ECONNRESET)\b/u, "was closed by the server"]
]

const inWords = (line: string): string =>
  plainWords.reduce((text, [pattern, words]) => text.replace(pattern, words), line)

/** The outcome of an attempt in words: `rate limited` for `RateLimited`. */
export const outcomeName = (outcome: string): string =>
  outcome.replaceAll(/\B[A-Z]/gu, (letter) => ` ${letter}`).toLowerCase()

const ownFault = (error: unknown, at: number): Problem => ({
  summary: oneLine(outlet("notes").text(messageOf(error))),
  advice: "This is a fault of Signalbox: please report it.",
  fields: [],
  at
})

/** A setting that no connection can be opened with. */
const settingFault = ({ message }: ConnectionError, at: number): Problem => ({
  summary: `the connection cannot be opened: ${oneLine(message)}`,
  advice: "Correct it where it is set (SIGNALBOX_ variables, or the configuration file) and start again.",
  fields: [],
  at
})

/** Advice for an operator, where that of the error is for developers: no key sets a timeout or a policy. */
const forOperators = ({ advice, mayHaveBeenApplied, reason }: SignalboxError): string => {
  const [link = ""] = / See https?:\S+$/u.exec(advice) ?? []
  if (mayHaveBeenApplied) return advice
  switch (reason._tag) {
    // The key is read once, when a connection is opened.
    case "Unauthorized":
      return `Check the API key and that it belongs to this base URL; :connect NAME reads the key of the configuration file again.${link}`
    case "Timeout":
      return `The service did not respond in time: retry.${link}`
    case "MalformedResponse":
      return reason.accepted ? advice : `Check the base URL: another server may have responded.${link}`
    case "ServerFailure":
      return reason.replayed ? `This is a stored response; retry when the service has recovered.${link}` : advice
    case "RequestInFlight":
      return `The service is still working on this request: wait, then retry.${link}`
    case "IdempotencyKeyReused":
      return `Retry: the request gets a new idempotency key.${link}`
    default:
      return advice
  }
}

/** An error in words. */
export const problemOf = (thrown: unknown, at: number): Problem => {
  // One line is all there is to say.
  if (thrown instanceof NotRecorded) return { summary: thrown.summary, advice: "", fields: [], at }
  if (thrown instanceof ConnectionError) return settingFault(thrown, at)
  // Several calls of one command: the first that failed says what to do, the whole says how far it went.
  const error = thrown instanceof MarkManyMessagesAsError ? (thrown.errors[0] ?? thrown) : thrown
  if (!isSignalboxError(error)) return ownFault(error, at)
  const { reason, requestId } = error
  const fields = "fields" in reason ? (reason.fields ?? []) : []
  return {
    summary: inWords(
      withoutNextStep(oneLine(thrown instanceof Error ? thrown.message : error.message), oneLine(error.advice))
    ),
    advice: oneLine(forOperators(error)),
    fields: fields.map(({ path, rule }) => ({ path, message: oneLine(rule) })),
    at,
    ...(error.mayHaveBeenApplied ? { mayHaveBeenApplied: true } : {}),
    ...(requestId === undefined ? {} : { requestId })
  }
}

/** A failure in words, for the status line and the forms. */
export const problemFrom = (cause: Cause.Cause<unknown>, at: number): Problem => problemOf(Cause.squash(cause), at)
