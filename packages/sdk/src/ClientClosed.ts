import type { OperationName } from "@signalbox/core/Operations"
import { knownOf, type Progress } from "./internal/Progress.ts"

/** A call that `close()` ended, or that was made after it. */
export class ClientClosed extends Error {
  override readonly name = "ClientClosed"
  readonly _tag = "ClientClosed"
  /** Whether a request was handed over before. */
  readonly sent: boolean
  /** Whether the service may have done the work; never of a read, which changes nothing. */
  readonly mayHaveBeenApplied: boolean

  constructor(operation: OperationName, progress: Progress) {
    super(`${operation} failed: the client was closed; ${knownOf(progress)}. Make a new one with createClient.`)
    this.sent = progress.sent
    this.mayHaveBeenApplied = progress.mayHaveBeenApplied
  }
}
