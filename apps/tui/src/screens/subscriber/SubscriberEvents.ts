import type { ActivityNotification } from "@signalbox/core/Records"
import type { Screen, State } from "../../state/State.ts"
import { eventKey } from "@signalbox/operator/reading/EventKey"
import { eventsOfSubscriber } from "../events/EventIndex.ts"
import { channelsOf, type SubscriberScreen } from "./SubscriberScreen.ts"

/** The loaded events of a subscriber, newest first, from every open list. */
export const eventsOf = (screens: ReadonlyArray<Screen>, subscriberId: string): ReadonlyArray<ActivityNotification> => {
  const found = new Map<string, ActivityNotification>()
  for (const screen of screens) {
    if (screen._tag !== "Events") continue
    for (const event of eventsOfSubscriber(screen.events, subscriberId)) {
      if (event.subscriber?.subscriberId === subscriberId) found.set(eventKey(event), event)
    }
  }
  return Array.from(found.values()).sort((a, b) => (b.createdAt ?? "").localeCompare(a.createdAt ?? ""))
}

/** The event that the screen explains: the one under the cursor, and the newest while that is on a credential. */
export const explainedEvent = (state: State, screen: SubscriberScreen): ActivityNotification | undefined =>
  eventUnderCursor(state, screen) ?? eventsOf(state.screens, screen.subscriberId)[0]

/** The event under the cursor: the credentials come before the events; `undefined` on a credential. */
export const eventUnderCursor = (state: State, screen: SubscriberScreen): ActivityNotification | undefined =>
  eventsOf(state.screens, screen.subscriberId)[screen.cursor.at - channelsOf(state.facts, screen.subscriberId).length]
