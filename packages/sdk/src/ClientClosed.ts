import type { AnyOperationName } from "@signalbox/core/Operations"
import { OperationError } from "@signalbox/core/Errors"
import { type Progress, type StoppedFacts, stoppedFacts } from "./internal/Progress.ts"

/**
 * A call that `close()` interrupted, or that was made after it. An attempt that was in progress is not among `attempts`.
 */
export class ClientClosed extends /* @__PURE__ */ OperationError("ClientClosed", ["attempts"])<StoppedFacts> {
  constructor(operation: AnyOperationName, progress: Progress) {
    const reason = { _tag: "ClientClosed", message: "the client was closed" } as const
    super(stoppedFacts(operation, reason, progress, " Create a new client."))
  }
}
