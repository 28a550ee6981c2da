import type { AnyOperationName } from "@signalbox/core/Operations"
import { type ErrorFacts, OperationError } from "@signalbox/core/Errors"
import { outcomeOf, type Progress, type Stopped } from "./internal/Progress.ts"

/**
 * A call whose signal was aborted, as returned by `.result`; a plain call rejects with the signal's own reason.
 *
 * `cause` is the reason of the signal. It can be anything and is not part of the JSON. An attempt that was in progress
 * is not among `attempts`.
 */
export class CallAborted
  extends /* @__PURE__ */ OperationError("CallAborted", ["attempts"])<
    ErrorFacts<Stopped> & {
      /** The operation of the call. */
      readonly operation: AnyOperationName
      /** Whether a request was sent before. */
      readonly sent: boolean
    }
  >
{
  constructor(operation: AnyOperationName, progress: Progress, cause: unknown) {
    const reason = { _tag: "CallAborted", message: "its signal was aborted" } as const
    const advice = outcomeOf(progress)
    super({ message: `${operation} failed: ${reason.message}. ${advice}`, operation, reason, advice, ...progress })
    Object.defineProperty(this, "cause", { value: cause, configurable: true })
  }
}
