import type { AnyOperationName, OperationName } from "../contract/Operations.ts"
import type { Message } from "../models/Records.ts"
import { defined } from "./Defined.ts"
import { OperationError, type OperationErrorFacts } from "./OperationError.ts"
import type { CommonReason, Reason } from "./Reason.ts"

/**
 * Why `credentials.upsert` failed, with the facts of the call.
 *
 * A `switch` over `error.reason._tag` is exhaustive. With Effect, use `Effect.catchReason` and `Effect.unwrapReason`.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Credentials } from "@signalbox/core/Credentials"
 *
 * const tokens = { providerId: "fcm", credentials: { deviceTokens: ["token"] } } as const
 * const program = Credentials.use((credentials) => credentials.upsert("user-7", tokens)).pipe(
 *   Effect.tapError(({ idempotencyKey, mayHaveBeenApplied, advice }) =>
 *     mayHaveBeenApplied ? Effect.logWarning(advice, { idempotencyKey }) : Effect.void
 *   )
 * )
 * ```
 */
export class UpsertCredentialsError
  extends /* @__PURE__ */ OperationError("UpsertCredentialsError")<OperationErrorFacts<"credentials.upsert", Reason>> {}

/**
 * Why `messages.markAs` failed, with the facts of the call.
 *
 * A `switch` over `error.reason._tag` is exhaustive. With Effect, use `Effect.catchReason` and `Effect.unwrapReason`.
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
  extends /* @__PURE__ */ OperationError("MarkMessagesAsError")<OperationErrorFacts<"messages.markAs", Reason>> {}

/** The outcome of every message, when all calls have finished or the work was interrupted. */
export interface MarkManyReport {
  /** Identifiers whose call succeeded. */
  readonly done: ReadonlyArray<string>
  /** Identifiers whose call failed, or was interrupted under way; errors say whether they may have been marked. */
  readonly failed: ReadonlyArray<string>
  /** Identifiers whose call was not started. */
  readonly notTried: ReadonlyArray<string>
}

/** The outcome of every message, and why calls failed. */
export interface MarkManyFacts extends MarkManyReport {
  /** One line: how many messages were marked, how many more may have been, and why the first call failed. */
  readonly message: string
  /** Why calls failed, at least one error. The other facts are those of the first one. */
  readonly errors: readonly [MarkMessagesAsError, ...ReadonlyArray<MarkMessagesAsError>]
}

/** Results of the calls that succeeded, and the failed call of each other message; not part of the JSON form. */
export interface MarkManyResults {
  readonly messages: ReadonlyArray<Message>
  readonly errorOf: ReadonlyMap<string, MarkMessagesAsError>
}

const unloggedOfMany = ["done", "failed", "notTried", "errors", "attempts"]

/**
 * A call of `messages.markManyAs` failed; lists the messages that were marked, failed and were not tried.
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
  extends /* @__PURE__ */ OperationError("MarkManyMessagesAsError", unloggedOfMany)<
    MarkManyFacts & OperationErrorFacts<"messages.markAs", Reason>
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

/**
 * Why `events.list` failed, with the facts of the call.
 *
 * A `switch` over `error.reason._tag` is exhaustive. With Effect, use `Effect.catchReason` and `Effect.unwrapReason`.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Events } from "@signalbox/core/Events"
 *
 * const program = Events.use((events) => events.list({ after: "2020-01-01T00:00:00.000Z" })).pipe(
 *   Effect.catchReason("ListEventsError", "PaymentRequired", () => Events.use((events) => events.list()))
 * )
 * ```
 */
export class ListEventsError
  extends /* @__PURE__ */ OperationError("ListEventsError")<OperationErrorFacts<"events.list", CommonReason>> {}

/**
 * Why a call of an operation that the program declares failed, or a one-off request, with the facts of the call.
 *
 * A `switch` over `error.reason._tag` is exhaustive. With Effect, use `Effect.catchReason` and `Effect.unwrapReason`.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Calls } from "@signalbox/core/Calls"
 *
 * const topics = Calls.use((calls) => calls.request("GET", "/v1/topics")).pipe(
 *   Effect.catchReason("CallError", "NotFound", () => Effect.succeed([]))
 * )
 * ```
 */
export class CallError
  extends /* @__PURE__ */ OperationError("CallError")<OperationErrorFacts<AnyOperationName, Reason>> {}

/** The error of each operation. @internal */
export const operationErrors = {
  "credentials.upsert": UpsertCredentialsError,
  "messages.markAs": MarkMessagesAsError,
  "events.list": ListEventsError
} as const satisfies { readonly [Name in OperationName]: { readonly prototype: { readonly operation: Name } } }

/** Any error of an operation. */
export type SignalboxError = InstanceType<(typeof operationErrors)[OperationName]> | CallError | MarkManyMessagesAsError
