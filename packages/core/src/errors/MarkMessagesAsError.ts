/**
 * The error of `Messages.markAs`.
 *
 * **When to use**: in the error channel of `Messages.markAs`, and to read such an error from JSON.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { brand, factFields } from "./ErrorFacts.ts"
import { commonReasons, writeReasons } from "./Reason.ts"

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
export class MarkMessagesAsError extends Schema.TaggedError<MarkMessagesAsError>()("MarkMessagesAsError", {
  ...factFields,
  /** Always `messages.markAs`. */
  operation: Schema.Literal("messages.markAs"),
  /** Why it failed. */
  reason: Schema.Union([...commonReasons, ...writeReasons])
}) {
  /** Marks an error of an operation, also across copies of this package. */
  get [brand](): true {
    return true
  }
}
