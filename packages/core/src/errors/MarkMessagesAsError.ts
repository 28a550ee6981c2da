/**
 * The error of `Messages.markAs`.
 *
 * **When to use**: in the error channel of `Messages.markAs`; `ErrorCodecs` reads one from JSON.
 *
 * @since 0.1.0
 */
import { type ErrorFacts, OperationError } from "./OperationError.ts"
import type { Reason } from "./Reason.ts"

/**
 * Why `Messages.markAs` failed, with the facts of the call.
 *
 * A `switch` over `error.reason._tag` is exhaustive; `Effect.catchReason` and `Effect.unwrapReason` work on it.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Messages } from "@signalbox/core/Messages"
 *
 * const program = Messages.use((messages) => messages.markAs("user-7", { messageId: "m1", markAs: "read" })).pipe(
 *   Effect.catchReason("MarkMessagesAsError", "NotFound", () => Effect.succeed([]))
 * )
 * ```
 */
export class MarkMessagesAsError
  extends /* @__PURE__ */ OperationError("MarkMessagesAsError")<
    ErrorFacts<Reason> & {
      /** Always `messages.markAs`. */
      readonly operation: "messages.markAs"
    }
  > {}
