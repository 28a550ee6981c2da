import type { ChannelSettings } from "@signalbox/core/Subscriber"
import type { Known } from "../../state/Known.ts"
import { start, type Cursor } from "../Cursor.ts"

/** What is known of one subscriber. */
export interface SubscriberScreen {
  readonly _tag: "Subscriber"
  readonly id: number
  readonly subscriberId: string
  readonly cursor: Cursor
  readonly revealed: boolean
}

/** The screen of a subscriber; credentials hidden. */
export const make = (id: number, subscriberId: string): SubscriberScreen => ({
  _tag: "Subscriber",
  id,
  subscriberId,
  cursor: start,
  revealed: false
})

/** The credentials that an answer carried; none when no answer has yet. */
export const channelsOf = (known: Known, subscriberId: string): ReadonlyArray<ChannelSettings> =>
  known.subscribers.get(subscriberId)?.channels ?? []
