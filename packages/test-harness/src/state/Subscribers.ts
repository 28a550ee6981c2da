/**
 * Adding subscribers.
 */
import { inputCheck, NonEmpty } from "../Input.ts"
import { type EnvironmentState, nextId, putSubscriber, subscriberOf } from "./EnvironmentState.ts"
import type { SubscriberRecord } from "./Records.ts"

/** A subscriber to add: the external id, and what else matters. */
export type SubscriberInput = Pick<SubscriberRecord, "subscriberId"> & Partial<SubscriberRecord>

/** A state, and a subscriber that it has. @internal */
export interface WithSubscriber {
  readonly state: EnvironmentState
  readonly subscriber: SubscriberRecord
}

const checkId = inputCheck("subscriber.subscriberId", NonEmpty)

/**
 * Adds a subscriber, or replaces the one with the same external id.
 *
 * @throws RangeError where the id is empty, because no path of the API leads to such a subscriber.
 *
 * @internal
 */
export const addSubscriber = (state: EnvironmentState, now: number, input: SubscriberInput): WithSubscriber => {
  checkId(input.subscriberId)
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
