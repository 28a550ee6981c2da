/**
 * The output and exit code of a failed command.
 */
import { isRead } from "@signalbox/core/Operations"
import type { ConnectionError } from "@signalbox/core/Connection"
import { type SignalboxError, isSignalboxError } from "@signalbox/core/Errors"
import { type Outgoing, outlet } from "@signalbox/operator/outlet/Outlet"
import { crashMessage } from "@signalbox/operator/report/CrashReport"
import { safe } from "@signalbox/operator/text/Safe"
import type { FailedRequest, Unsuccessful, UsageError } from "./CommandError.ts"
import { exitCodeOfReason, exitCodes } from "./ExitCode.ts"

/** Everything that a command can fail with. */
export type CommandFailure = SignalboxError | ConnectionError | UsageError | Unsuccessful | FailedRequest

/** A failure, ready to be printed. */
export interface Failure {
  readonly exitCode: number
  /** A stable name for scripts: the reason of a call, or the name of the exit code. */
  readonly reason: string
  /** One line: the failure, its location, and the next step. Absent where the output already has it. */
  readonly message: string | undefined
  readonly operation?: string
  readonly status?: number
  readonly requestId?: string
  /** Whether a failed write may have been applied. */
  readonly mayHaveBeenApplied?: boolean
  /** The fields of the request that were rejected. */
  readonly fields?: ReadonlyArray<{ readonly path: string; readonly rule: string }>
}

/** The advice about a failed call. A page that is not found is no record of the API: another server has responded. */
export const adviceOf = ({ advice, reason }: SignalboxError): string =>
  reason._tag === "NotFound" && reason.detail?.startsWith("HTML page") === true
    ? "A web server responded, not the API: use the base URL of the API, not that of its dashboard."
    : advice

const ofCall = (error: SignalboxError, request: string = error.operation): Failure => {
  const { mayHaveBeenApplied, message, operation, reason, requestId, status } = error
  const isPartial = error._tag === "MarkManyMessagesAsError" && error.done.length > 0
  const fields = "fields" in reason ? reason.fields : undefined
  return {
    exitCode: isPartial ? exitCodes.partial : exitCodeOfReason[reason._tag],
    reason: reason._tag,
    message: message.replace(operation, () => request).replace(error.advice, () => adviceOf(error)),
    operation,
    ...(status === undefined ? {} : { status }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(isRead(operation) ? {} : { mayHaveBeenApplied }),
    ...(fields === undefined ? {} : { fields: fields.map(({ path, rule }) => ({ path, rule })) })
  }
}

/** The name of an exit code as a reason: `NotFound` for `notFound`. */
const reasonOf = (exitCode: number): string => {
  const [name = "failed"] = Object.entries(exitCodes).find(([, code]) => code === exitCode) ?? []
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** The failure of a command whose error is known. */
export const failureOf = (error: CommandFailure): Failure => {
  if (isSignalboxError(error)) return ofCall(error)
  switch (error._tag) {
    case "FailedRequest":
      return ofCall(error.error, error.request)
    case "ConnectionError":
    case "UsageError":
      return { exitCode: exitCodes.usage, reason: "Usage", message: error.message }
    case "Unsuccessful":
      return { exitCode: error.exitCode, reason: reasonOf(error.exitCode), message: error.message || undefined }
  }
}

/** The failure of a command that has a bug. */
export const failureOfDefect = (defect: unknown): Failure => ({
  exitCode: exitCodes.defect,
  reason: "Defect",
  message: crashMessage(defect)
})

/** The line that stderr gets: plain, or JSON in `--json` mode; empty where the output already has it. */
export const failureText = ({ message, ...facts }: Failure, asJson: boolean): Outgoing => {
  if (message === undefined) return outlet("own").text("")
  return asJson
    ? outlet("records").json({ error: { ...facts, message } })
    : outlet("notes").text(`signalbox: ${safe(message)}\n`)
}
