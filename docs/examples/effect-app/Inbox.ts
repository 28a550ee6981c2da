import { type Errors, Events, Messages, RetryPolicy } from "@signalbox/sdk/effect"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** The part of notifications that the rest of the application uses. */
export interface InboxShape {
  /** How many events the user has, failed ones too; at most 50. */
  readonly countEvents: (userId: string) => Effect.Effect<number, Errors.ListEventsError>
  /** Marks a message as read. Fails at once: the user taps again. */
  readonly open: (userId: string, messageId: string) => Effect.Effect<void, Errors.MarkMessagesAsError>
}

/** The inbox of a user. */
export class Inbox extends Context.Service<Inbox, InboxShape>()("effect-app/Inbox") {
  /** The inbox over the notification service. */
  static readonly layer = Layer.effect(
    Inbox,
    Effect.gen(function* () {
      const events = yield* Events.Events
      const messages = yield* Messages.Messages
      return Inbox.of({
        countEvents: (userId) =>
          Effect.map(events.list({ subscriberIds: userId, limit: 50 }), ({ data }) => data.length),
        open: (userId, messageId) =>
          messages.markAs(userId, { messageId, markAs: "read" }).pipe(
            // A policy for one call; the other calls keep the default.
            Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.none),
            Effect.asVoid
          )
      })
    })
  )
}
