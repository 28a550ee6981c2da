/**
 * The error of `Messages.markManyAs`.
 *
 * **When to use**: in the error channel of `Messages.markManyAs`: to continue with the messages that were not marked.
 *
 * @since 0.1.0
 */
import type { Message } from "../models/Message.ts"
import { defined } from "./Defined.ts"
import type { MarkMessagesAsError } from "./MarkMessagesAsError.ts"
import { type ErrorFacts, OperationError } from "./OperationError.ts"
import type { Reason } from "./Reason.ts"

/** The outcome of every message. */
export interface MarkManyFacts {
  /** One line: how many messages were marked, how many more may have been, and why the first call failed. */
  readonly message: string
  /** Identifiers whose call succeeded. */
  readonly done: ReadonlyArray<string>
  /** Identifiers whose call failed; `errors` say whether they may have been marked. */
  readonly failed: ReadonlyArray<string>
  /** Identifiers whose call was not started. */
  readonly notTried: ReadonlyArray<string>
  /** Why calls failed, at least one error. The other facts are those of the first one. */
  readonly errors: readonly [MarkMessagesAsError, ...ReadonlyArray<MarkMessagesAsError>]
}

/** What the calls that succeeded returned, and which call failed for which message; not part of what is sent as JSON. */
export interface MarkManyResults {
  readonly messages: ReadonlyArray<Message>
  readonly errorOf: ReadonlyMap<string, MarkMessagesAsError>
}

const unlogged = ["done", "failed", "notTried", "errors", "attempts"]

/**
 * A call of `Messages.markManyAs` failed; lists the messages that were marked, failed and were not tried.
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
export class MarkManyMessagesAsError
  extends /* @__PURE__ */ OperationError("MarkManyMessagesAsError", unlogged)<
    MarkManyFacts &
      ErrorFacts<Reason> & {
        /** Always `messages.markAs`. */
        readonly operation: "messages.markAs"
      }
  >
{
  readonly #results: MarkManyResults | undefined

  constructor(facts: MarkManyFacts, results?: MarkManyResults) {
    const { errors } = facts
    const { advice, idempotencyKey, operation, reason, requestId, status } = errors[0]
    super({
      ...facts,
      operation,
      reason,
      advice,
      mayHaveBeenApplied: errors.some(({ mayHaveBeenApplied }) => mayHaveBeenApplied),
      attempts: errors.flatMap(({ attempts }) => attempts),
      ...defined({ idempotencyKey, requestId, status })
    })
    this.#results = results
  }

  /** The affected messages of the calls that succeeded; empty in an error that was read from JSON. */
  get messages(): ReadonlyArray<Message> {
    return this.#results?.messages ?? []
  }

  /** Why the call for this message failed; `undefined` if it did not fail, or was interrupted. */
  errorOf(messageId: string): MarkMessagesAsError | undefined {
    return this.#results?.errorOf.get(messageId)
  }
}
