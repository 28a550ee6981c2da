/**
 * The messages that calibration marks. The API does not list messages: the user names them.
 */
import * as Effect from "effect/Effect"
import { type Deployment, payloadOf, type Reply } from "./Deployment.ts"
import { type Fields, objectsIn } from "./WireValues.ts"

/** A subscriber that does not exist. */
export const noSubscriber = "signalbox-calibration-nobody"

export type { MessageMark as Mark } from "@signalbox/core/internal/services/MarkAsInput"

/** The messages in the response to a mark. */
export const messagesIn = (reply: Reply): ReadonlyArray<Fields> => objectsIn(payloadOf(reply))

/** Marks messages of a subscriber. */
export const markMessages = (
  deployment: Deployment,
  subscriberId: string,
  ids: ReadonlyArray<string>,
  markAs: string,
  what = markAs
) => deployment.mark(`POST mark-as, ${what}`, subscriberId, { messageId: ids, markAs })

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
    // A service may leave out a message that is seen already; then the second mark shows it.
    for (const mark of ["seen", "unseen"]) {
      const reply = yield* markMessages(deployment, subscriberId, [id], mark)
      const first = messagesIn(reply).find(({ _id }) => _id === id)
      if (first === undefined) continue
      found.push({ id, first, reply })
      break
    }
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
