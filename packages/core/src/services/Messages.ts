/**
 * Messages of subscribers.
 *
 * **When to use**: to mark messages of the inbox as read, unread, seen or unseen, some or any number of them.
 */
import * as Effect from "effect/Effect"
import type { CallServices } from "../call/Call.ts"
import { writing } from "../call/Classify.ts"
import { wiredCall } from "../call/WiredOperation.ts"
import { MarkMessagesAsError } from "../errors/Errors.ts"
import type { Message } from "../models/Records.ts"
import { messagesMarkAsWire } from "../reading/Shapes.ts"
import { CallService } from "./CallService.ts"
import { type MarkMany, markMany, type MessageMark } from "./MarkMany.ts"

export { idsOf, type MessageMark } from "./MarkMany.ts"
export { checkMarkAs, type RequestCheck } from "./RequestCheck.ts"

/** The input of `messages.markAs`. */
export interface MarkAsInput {
  /** Internal identifiers of the messages: one, or several. */
  readonly messageId: string | ReadonlyArray<string>
  /** The new state of the messages. */
  readonly markAs: MessageMark
}

/** Operations on messages. */
export interface MessagesShape {
  /**
   * Marks messages of one subscriber and returns the affected ones, in exactly one request (API document: Endpoints,
   * Update notifications state). The order of the response is not significant; unknown identifiers may be missing from it.
   *
   * @example
   * ```ts
   * import { Messages } from "@signalbox/core/Messages"
   *
   * const program = Messages.use((messages) => messages.markAs("user-7", { messageId: "m1", markAs: "read" }))
   * ```
   */
  readonly markAs: (
    subscriberId: string,
    input: MarkAsInput
  ) => Effect.Effect<ReadonlyArray<Message>, MarkMessagesAsError>
  /**
   * Marks any number of messages of one subscriber: one call for each 100 of them, four at a time.
   *
   * Without identifiers nothing is sent. After a failed call no other is started, and the error says which messages were marked.
   *
   * @example
   * ```ts
   * import * as Effect from "effect/Effect"
   * import { Messages } from "@signalbox/core/Messages"
   *
   * const program = Messages.use((messages) =>
   *   messages.markManyAs("user-7", ["m1", "m2"], "read", { concurrency: 1 })
   * ).pipe(Effect.map(({ messages, notReturned }) => [messages.length, notReturned]))
   * ```
   */
  readonly markManyAs: MarkMany
}

/** Makes the operations without the service, for programs that must be small. @internal */
export const makeMarking: Effect.Effect<MessagesShape, never, CallServices> = /* @__PURE__ */ Effect.suspend(() =>
  Effect.map(wiredCall(messagesMarkAsWire, MarkMessagesAsError, writing), (call): MessagesShape => {
    const markAs: MessagesShape["markAs"] = (subscriberId, input) => call({ params: { subscriberId }, payload: input })
    return { markAs, markManyAs: markMany(markAs) }
  })
)

/**
 * Messages of subscribers.
 */
export class Messages
  extends /* @__PURE__ */ CallService<Messages, MessagesShape>()("signalbox/core/Messages", makeMarking) {}
