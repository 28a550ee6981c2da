/**
 * The attempts of a call.
 *
 * **When to use**: to log or count what a call took: `attempts` of its error, or of its `CallInfo`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/** One HTTP exchange of a call. */
export const Attempt = Schema.Struct({
  /** Counted from 1. */
  number: Schema.Int,
  /** When it began, in milliseconds since 1970. */
  startedAt: Schema.Finite,
  /** How long it took, its body included, in milliseconds. */
  durationMs: Schema.Finite,
  /** How long the client waited before it, in milliseconds. */
  delayMs: Schema.Finite,
  /** Why it was made: the tag of the reason for which the attempt before it failed. Absent for the first. */
  retryReason: Schema.optionalKey(Schema.String),
  /** `success`, or the tag of the reason for which it failed. */
  outcome: Schema.String,
  /** Status of the answer; absent when there was none. */
  status: Schema.optionalKey(Schema.Int),
  /** What the service calls this exchange; absent when it did not say. */
  requestId: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "Attempt" })
export type Attempt = typeof Attempt.Type
