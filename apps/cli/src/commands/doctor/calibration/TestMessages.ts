/**
 * The messages that calibration marks. The API does not list messages: the user names them.
 */
import type { MessageMark } from "@signalbox/core/Messages"
import * as Effect from "effect/Effect"
import { type Deployment, payloadOf, type Reply } from "./Deployment.ts"
import { type Fields, objectsIn, testValue } from "./WireValues.ts"

/** A subscriber that does not exist. */
export const noSubscriber = `${testValue}-absent`

/** The messages in the response to a mark. */
export const messagesIn = (reply: Reply): ReadonlyArray<Fields> => objectsIn(payloadOf(reply))

/** Marks messages of a subscriber. */
export const markMessages = (
  deployment: Deployment,
  subscriberId: string,
  messageId: ReadonlyArray<string>,
  markAs: MessageMark,
  what: string = markAs
) => deployment.mark(what, subscriberId, { messageId, markAs })

/** Marks one message; the message is absent where the response leaves it out. */
export const markOne = (deployment: Deployment, subscriberId: string, id: string) => (mark: MessageMark) =>
  Effect.map(markMessages(deployment, subscriberId, [id], mark), (reply) => ({
    reply,
    message: messagesIn(reply).find(({ _id }) => _id === id)
  }))

/** One message, as a deployment first showed it. */
export interface TestMessage {
  readonly id: string
  readonly first: Fields
  /** The response that showed it. */
  readonly reply: Reply
}

/** The messages that the deployment can mark, each once. The first mark leaves `read` as it was in most services. */
export const findMessages = Effect.fnUntraced(function* (
  deployment: Deployment,
  subscriberId: string,
  ids: ReadonlyArray<string>
) {
  const found: Array<TestMessage> = []
  for (const id of new Set(ids)) {
    const mark = markOne(deployment, subscriberId, id)
    // A service may leave out a message that is seen already; then the second mark shows it.
    const seen = yield* mark("seen")
    const { message, reply } = seen.message === undefined ? yield* mark("unseen") : seen
    if (message !== undefined) found.push({ id, first: message, reply })
  }
  return found
})

/** Marks the messages as read or unread, as they were, and as seen. */
export const restoreMessages = Effect.fnUntraced(function* (
  deployment: Deployment,
  subscriberId: string,
  messages: ReadonlyArray<TestMessage>
) {
  for (const { first, id } of messages) {
    yield* markMessages(deployment, subscriberId, [id], first["read"] === true ? "read" : "unread")
    yield* markMessages(deployment, subscriberId, [id], "seen")
  }
})
