/**
 * The operation `messages.markAs` as a value (API document: Endpoints, Update notifications state).
 *
 * **When to use**: for tools that need the wire itself: method, path, parameters and schemas, written once.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Contract from "../contract/Message.ts"
import { messagesMarkAsPayload } from "../contract/Parameters.ts"
import { fieldsOf } from "../contract/ParameterSchemas.ts"
import { SubscriberId } from "../contract/SubscriberId.ts"
import { Message } from "../schemas/Message.ts"
import * as Operation from "./Operation.ts"

export { messageMarks } from "../contract/Parameters.ts"

/** Body of the request (API document: Endpoints, Update notifications state). */
export const MessagesMarkAsPayload = Schema.Struct(fieldsOf(messagesMarkAsPayload)).annotate({
  identifier: "MessagesMarkAsPayload"
})

/**
 * Marks messages of one subscriber as read, unread, seen or unseen and returns the affected messages (API document:
 * Endpoints, Update notifications state).
 */
export const MessagesMarkAs = Operation.make("messages.markAs", {
  params: Schema.Struct({ subscriberId: SubscriberId }),
  query: undefined,
  payload: MessagesMarkAsPayload,
  success: Schema.Array(Contract.Message),
  read: Schema.Array(Message)
})
