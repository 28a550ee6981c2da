import type { AnyOperationName } from "@signalbox/core/Operations"
import { OperationError } from "@signalbox/core/Errors"
import { type Progress, type StoppedFacts, stoppedFacts } from "./internal/Progress.ts"

/**
 * A call whose signal was aborted, as returned by `.result`; a plain call rejects with the signal's own reason.
 *
 * `cause` is the reason of the signal. It can be anything and is not part of the JSON. An attempt that was in progress
 * is not among `attempts`.
 */
export class CallAborted extends /* @__PURE__ */ OperationError("CallAborted", ["attempts"])<StoppedFacts> {
  constructor(operation: AnyOperationName, progress: Progress, cause: unknown) {
    super(stoppedFacts(operation, { _tag: "CallAborted", message: "its signal was aborted" }, progress))
    Object.defineProperty(this, "cause", { value: cause, configurable: true })
  }
}
