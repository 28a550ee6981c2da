/**
 * Messages of subscribers.
 *
 * **When to use**: to mark messages of the inbox as read, unread, seen or unseen, some or any number of them.
 *
 * @since 0.1.0
 */
import { CallService } from "./CallService.ts"
import type { MarkMany } from "./MarkMany.ts"
import * as MarkMessages from "./MarkMessages.ts"

export type { MarkAsInput, MessageMark } from "./MarkMessages.ts"
export { checkMarkAs, type RequestCheck } from "./RequestCheck.ts"

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
  readonly markAs: MarkMessages.MarkMessagesAs
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

/**
 * Messages of subscribers.
 */
export class Messages extends CallService<Messages, MessagesShape>()("signalbox/core/Messages", MarkMessages.make) {}
