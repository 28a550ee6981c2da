import type { OperationName } from "@signalbox/core/Operations"
import { knownOf, type Progress } from "./internal/Progress.ts"

/** A call whose signal was aborted, as returned by `.result`; a plain call rejects with the signal's own reason. */
export class CallAborted extends Error {
  override readonly name = "CallAborted"
  readonly _tag = "CallAborted"
  /** The operation of the call. */
  readonly operation: OperationName
  /** The reason of the signal. */
  readonly reason: unknown
  /** Whether a request was sent before. */
  readonly sent: boolean
  /** Whether the change may have been applied; always `false` for a read. */
  readonly mayHaveBeenApplied: boolean

  constructor(operation: OperationName, progress: Progress, reason: unknown) {
    super(`${operation} failed: its signal was aborted; ${knownOf(progress)}.`)
    this.reason = reason
    this.operation = operation
    this.sent = progress.sent
    this.mayHaveBeenApplied = progress.mayHaveBeenApplied
  }

  /** Plain data for logs, without the signal's reason, which can be anything. */
  toJSON(): Readonly<Record<string, unknown>> {
    const { _tag, mayHaveBeenApplied, message, operation, sent } = this
    return { _tag, message, operation, sent, mayHaveBeenApplied }
  }
}
