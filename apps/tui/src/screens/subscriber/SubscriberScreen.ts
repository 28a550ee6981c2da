import type { ChannelSettings } from "@signalbox/core/Records"
import type { Facts } from "../../state/Facts.ts"
import { start, type Cursor } from "../Cursor.ts"
import type { Revealing } from "../../state/Revealing.ts"

/** The screen of one subscriber. */
export interface SubscriberScreen extends Revealing {
  readonly _tag: "Subscriber"
  readonly id: number
  readonly subscriberId: string
  readonly cursor: Cursor
}

/** The screen of a subscriber; credentials hidden. */
export const make = (id: number, subscriberId: string): SubscriberScreen => ({
  _tag: "Subscriber",
  id,
  subscriberId,
  cursor: start,
  revealedUntil: undefined
})

/** The credentials that a response contained; none when no response has yet. */
export const channelsOf = (facts: Facts, subscriberId: string): ReadonlyArray<ChannelSettings> =>
  facts.subscribers.get(subscriberId)?.channels ?? []
