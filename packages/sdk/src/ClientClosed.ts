import type { OperationName } from "@signalbox/core/Operations"
import { type ErrorFacts, OperationError } from "@signalbox/core/SignalboxError"
import { outcomeOf, type Progress } from "./internal/Progress.ts"

/** Why a call of a closed client failed. */
export interface CloseReason {
  readonly _tag: "ClientClosed"
  /** One line: what happened. */
  readonly message: string
}

/**
 * A call that `close()` interrupted, or that was made after it. An attempt that was in progress is not among `attempts`.
 */
export class ClientClosed
  extends /* @__PURE__ */ OperationError("ClientClosed", ["attempts"])<
    ErrorFacts<CloseReason> & {
      /** The operation of the call. */
      readonly operation: OperationName
      /** Whether a request was sent before. */
      readonly sent: boolean
    }
  >
{
  constructor(operation: OperationName, progress: Progress) {
    const reason = { _tag: "ClientClosed", message: "the client was closed" } as const
    const advice = `${outcomeOf(progress)} Create a new client.`
    super({ message: `${operation} failed: ${reason.message}. ${advice}`, operation, reason, advice, ...progress })
  }
}
