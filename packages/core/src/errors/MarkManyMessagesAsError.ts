/**
 * The error of `Messages.markManyAs`.
 *
 * **When to use**: in the error channel of `Messages.markManyAs`: to go on with what was not marked.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type { Attempt } from "./Attempt.ts"
import { brand } from "./ErrorFacts.ts"
import { markManyFacts } from "./MarkManyFacts.ts"
import { MarkMessagesAsError } from "./MarkMessagesAsError.ts"
import type { Message } from "../models/Message.ts"
import type { Reason } from "./Reason.ts"

/**
 * A call of `Messages.markManyAs` failed; says of every message what became of it.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Messages } from "@signalbox/core/Messages"
 *
 * const markRead = (messageIds: ReadonlyArray<string>) =>
 *   Messages.use((messages) => messages.markManyAs("user-7", messageIds, "read")).pipe(
 *     Effect.as<ReadonlyArray<string>>([]),
 *     Effect.catchTag("MarkManyMessagesAsError", ({ failed, notTried }) => Effect.succeed([...failed, ...notTried]))
 *   )
 * // Effect<the identifiers to try again, never, Messages>
 * ```
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
  /** Why calls failed, at least one; the facts below are those of the first. */
  errors: Schema.NonEmptyArray(MarkMessagesAsError)
}) {
  /** Marks an error of an operation, also across copies of this package. */
  get [brand](): true {
    return true
  }

  /** Always `messages.markAs`, which each of the calls is. */
  get operation(): "messages.markAs" {
    return this.errors[0].operation
  }

  /** Why the first call failed. */
  get reason(): Reason {
    return this.errors[0].reason
  }

  /** What to do now; the message ends with it. */
  get advice(): string {
    return this.errors[0].advice
  }

  /** Whether the service may have done the work of a call that failed. */
  get mayHaveBeenApplied(): boolean {
    return this.errors.some(({ mayHaveBeenApplied }) => mayHaveBeenApplied)
  }

  /** The attempts of the calls that failed. */
  get attempts(): ReadonlyArray<Attempt> {
    return this.errors.flatMap(({ attempts }) => attempts)
  }

  /** The key that the attempts of the first call carried. */
  get idempotencyKey(): string | undefined {
    return this.errors[0].idempotencyKey
  }

  /** What the service calls the last exchange of the first call. */
  get requestId(): string | undefined {
    return this.errors[0].requestId
  }

  /** Status of the last answer to the first call. */
  get status(): number | undefined {
    return this.errors[0].status
  }

  /** The affected messages of the calls that succeeded; none in an error that was read from JSON. */
  get messages(): ReadonlyArray<Message> {
    return markManyFacts.get(this)?.messages ?? []
  }

  /** Why the call of this message failed; `undefined` where it did not fail, or was interrupted. */
  errorOf(messageId: string): MarkMessagesAsError | undefined {
    return markManyFacts.get(this)?.errorOf.get(messageId)
  }
}
