/**
 * The operation `messages.markAs` without its service.
 *
 * **When to use**: programs that must be small, such as a client that is not for Effect users. All others use the service
 * `Messages`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { CallServices } from "../call/Call.ts"
import { wiredCall } from "../call/WiredOperation.ts"
import { writing } from "../call/Classify.ts"
import { type MarkMany, markMany } from "./MarkMany.ts"
import { MarkMessagesAsError } from "../errors/Errors.ts"
import type { Message } from "../models/Records.ts"
import { messagesMarkAsWire } from "../reading/Shapes.ts"
import type { MarkAsInput } from "./MarkAsInput.ts"

export type { MarkAsInput, MessageMark } from "./MarkAsInput.ts"

/** Marks messages in one request; see `Messages.markAs`. */
export type MarkMessagesAs = (
  subscriberId: string,
  input: MarkAsInput
) => Effect.Effect<ReadonlyArray<Message>, MarkMessagesAsError>

/** The operation, and the operation for any number of messages; see `Messages`. */
export interface MarkMessages {
  readonly markAs: MarkMessagesAs
  readonly markManyAs: MarkMany
}

/**
 * Makes the operation; its policies are those of the surroundings.
 */
export const make: Effect.Effect<MarkMessages, never, CallServices> = Effect.suspend(() =>
  Effect.map(wiredCall(messagesMarkAsWire, MarkMessagesAsError, writing), (call): MarkMessages => {
    const markAs: MarkMessagesAs = (subscriberId, input) => call({ params: { subscriberId }, payload: input })
    return { markAs, markManyAs: markMany(markAs) }
  })
)
