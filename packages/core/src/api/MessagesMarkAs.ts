/**
 * The operation `messages.markAs` as a value (API document: Endpoints, Update notifications state).
 *
 * **When to use**: for tools that need the wire itself: method, path, parameters and schemas, written once.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Contract from "../contract/Message.ts"
import { SubscriberId } from "../contract/SubscriberId.ts"
import { Message } from "../schemas/Message.ts"
import * as Operation from "../contract/Operation.ts"

/** The states that messages can be marked as (API document: Endpoints, Update notifications state). */
export const messageMarks = ["read", "seen", "unread", "unseen"] as const

/** Body of the request (API document: Endpoints, Update notifications state). */
export const MessagesMarkAsPayload = Schema.Struct({
  /** Internal identifiers of the messages: one, or several. */
  messageId: Schema.Union([Schema.String, Schema.Array(Schema.String)]),
  /** State that the messages get. */
  markAs: Schema.Literals(messageMarks).annotate({ message: `Expected one of ${messageMarks.join(", ")}` })
}).annotate({ identifier: "MessagesMarkAsPayload" })

/**
 * Marks messages of one subscriber as read, unread, seen or unseen and answers the affected messages (API document:
 * Endpoints, Update notifications state).
 */
export const MessagesMarkAs = Operation.make({
  name: "messages.markAs",
  method: "POST",
  path: "/v1/subscribers/:subscriberId/messages/mark-as",
  params: Schema.Struct({
    /** Identifier of the subscriber in the client's system. */
    subscriberId: SubscriberId
  }),
  query: undefined,
  payload: MessagesMarkAsPayload,
  success: Schema.Array(Contract.Message),
  read: Schema.Array(Message),
  status: 201,
  section: "Endpoints, Update notifications state",
  summary: "Marks messages of one subscriber as read, unread, seen or unseen"
})
