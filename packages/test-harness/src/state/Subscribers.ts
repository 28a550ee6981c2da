import { type EnvironmentState, nextId, putSubscriber, subscriberOf } from "./EnvironmentState.ts"
import type { Fields } from "./RecordInput.ts"
import type { SubscriberRecord } from "./Records.ts"

/** The fields of a subscriber to add. @internal */
export type SubscriberFields = Fields<SubscriberRecord, "subscriberId">

/** A state, and a subscriber that it has. @internal */
export interface WithSubscriber {
  readonly state: EnvironmentState
  readonly subscriber: SubscriberRecord
}

/** Adds a subscriber, or replaces the one with the same external id. @internal */
export const addSubscriber = (state: EnvironmentState, now: number, input: SubscriberFields): WithSubscriber => {
  const next = nextId(state, "subscriber")
  const subscriber: SubscriberRecord = {
    id: next.id,
    topics: [],
    isOnline: false,
    channels: [],
    version: 0,
    deleted: false,
    createdAt: now,
    updatedAt: now,
    ...input
  }
  return { state: putSubscriber(next.state, subscriber), subscriber }
}

/** The subscriber of an external id, added when unknown. @internal */
export const ensureSubscriber = (state: EnvironmentState, now: number, subscriberId: string): WithSubscriber => {
  const known = subscriberOf(state, subscriberId)
  return known === undefined ? addSubscriber(state, now, { subscriberId }) : { state, subscriber: known }
}
