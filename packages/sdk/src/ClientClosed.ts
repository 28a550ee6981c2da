import type { OperationName } from "@signalbox/core/Operations"
import { knownOf, type Progress } from "./internal/Progress.ts"

/** A call that `close()` interrupted, or that was made after it. */
export class ClientClosed extends Error {
  override readonly name = "ClientClosed"
  readonly _tag = "ClientClosed"
  /** The operation of the call. */
  readonly operation: OperationName
  /** Whether a request was sent before. */
  readonly sent: boolean
  /** Whether the change may have been applied; always `false` for a read. */
  readonly mayHaveBeenApplied: boolean

  constructor(operation: OperationName, progress: Progress) {
    super(`${operation} failed: the client was closed; ${knownOf(progress)}. Create a new client.`)
    this.operation = operation
    this.sent = progress.sent
    this.mayHaveBeenApplied = progress.mayHaveBeenApplied
  }

  /** Plain data for logs. */
  toJSON(): Readonly<Record<string, unknown>> {
    const { _tag, mayHaveBeenApplied, message, operation, sent } = this
    return { _tag, message, operation, sent, mayHaveBeenApplied }
  }
}
