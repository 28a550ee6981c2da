import type { AnyOperationName } from "@signalbox/core/Operations"
import { type ErrorFacts, OperationError } from "@signalbox/core/Errors"
import { outcomeOf, type Progress, type Stopped } from "./internal/Progress.ts"

/**
 * A call that `close()` interrupted, or that was made after it. An attempt that was in progress is not among `attempts`.
 */
export class ClientClosed
  extends /* @__PURE__ */ OperationError("ClientClosed", ["attempts"])<
    ErrorFacts<Stopped> & {
      /** The operation of the call. */
      readonly operation: AnyOperationName
      /** Whether a request was sent before. */
      readonly sent: boolean
    }
  >
{
  constructor(operation: AnyOperationName, progress: Progress) {
    const reason = { _tag: "ClientClosed", message: "the client was closed" } as const
    const advice = `${outcomeOf(progress)} Create a new client.`
    super({ message: `${operation} failed: ${reason.message}. ${advice}`, operation, reason, advice, ...progress })
  }
}
