/**
 * The error of `Messages.markManyAs`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { MarkMessagesAsError } from "./MarkMessagesAsError.ts"

/**
 * A call of `Messages.markManyAs` failed; says of every message what became of it.
 */
export class MarkManyMessagesAsError extends Schema.TaggedError<MarkManyMessagesAsError>()("MarkManyMessagesAsError", {
  /** One line: how many messages were marked, and why the first call failed. */
  message: Schema.String,
  /** Identifiers whose call succeeded. */
  done: Schema.Array(Schema.String),
  /** Identifiers whose call failed; whether they were marked is what `errors` say of it. */
  failed: Schema.Array(Schema.String),
  /** Identifiers whose call was not begun. */
  notTried: Schema.Array(Schema.String),
  /** Why calls failed, at least one. */
  errors: Schema.Array(MarkMessagesAsError)
}) {}
