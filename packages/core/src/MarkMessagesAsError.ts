/**
 * The error of `Messages.markAs`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { brand, factFields } from "./internal/call/ErrorFacts.ts"
import { commonReasons, writeReasons } from "./Reason.ts"

/**
 * Why `Messages.markAs` failed, with the facts of the call.
 *
 * A `switch` over `error.reason._tag` is exhaustive; `Effect.catchReason` and `Effect.unwrapReason` work on it.
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
