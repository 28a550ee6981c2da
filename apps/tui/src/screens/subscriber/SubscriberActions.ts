import type { ActivityNotification } from "@signalbox/core/Records"
import { keyFor, placed } from "../../actions/Action.ts"
import { subscriberHeight } from "../Layout.ts"
import type { ScreenKind } from "../ScreenKind.ts"
import { subscriberView } from "./SubscriberView.ts"
import { openForm } from "../Drafts.ts"
import { make as makeEvent } from "../event/EventScreen.ts"
import { eventsOf, eventUnderCursor, explainedEvent } from "./SubscriberEvents.ts"
import { channelsOf, type SubscriberScreen } from "./SubscriberScreen.ts"
import { listOf, pushScreen, putScreen, topScreen } from "../../state/ScreenStack.ts"
import { type State, stay, type Transition } from "../../state/State.ts"
import { titledPreview } from "../events/EventPreview.ts"
import { openEventsOf } from "../events/EventsActions.ts"
import { actingOn, onScreen, unlessScreen, whileMasked } from "../../actions/OnScreen.ts"
import { whyReadOnly } from "../../state/Connection.ts"
import { toggledReveal } from "../../state/Revealing.ts"

const on = onScreen("Subscriber")
const unless = unlessScreen("Subscriber")

const noCredential = unless((screen, state) =>
  channelsOf(state.facts, screen.subscriberId)[screen.cursor.at] === undefined
    ? `the cursor is on no credential; ${keyFor(state, "add credentials")} adds one`
    : undefined
)

const openEvent = (state: State, event: ActivityNotification): Transition =>
  stay(pushScreen(state, (id) => makeEvent(id, event, state.now)))

/** The actions on a subscriber. */
const actions = placed("Subscriber", [
  {
    id: "add credentials",
    keys: ["a"],
    description: "Open an empty credentials form for this subscriber.",
    hint: 10,
    writes: true,
    run: on((state, { subscriberId }) => stay(openForm({ ...state, fix: undefined }, subscriberId)))
  },
  {
    id: "open their event",
    keys: ["l", "right"],
    description: "Open the event under the cursor; enter does the same below the credentials.",
    ...actingOn((state) => {
      const screen = topScreen(state)
      const event = screen._tag === "Subscriber" ? eventUnderCursor(state, screen) : undefined
      return event ?? "the cursor is on no event"
    }, openEvent)
  },
  {
    id: "change credentials",
    keys: ["enter"],
    name: "open",
    description: "Open the form with the provider under the cursor filled in, or the event under the cursor.",
    hint: 20,
    unavailable: unless((screen, state) => {
      if (eventUnderCursor(state, screen) !== undefined) return undefined
      if (channelsOf(state.facts, screen.subscriberId).length === 0)
        return `no credential is known yet; ${keyFor(state, "add credentials")} adds one`
      return whyReadOnly(state.connection)
    }),
    run: on((state, screen) => {
      const event = eventUnderCursor(state, screen)
      if (event !== undefined) return openEvent(state, event)
      const channel = channelsOf(state.facts, screen.subscriberId)[screen.cursor.at]
      if (channel === undefined) return stay(state)
      return stay(
        openForm({ ...state, fix: undefined }, screen.subscriberId, {
          providerId: channel.providerId,
          ...(channel.integrationIdentifier === undefined
            ? {}
            : { integrationIdentifier: channel.integrationIdentifier })
        })
      )
    })
  },
  {
    id: "reveal credentials",
    keys: ["v"],
    name: "reveal",
    description: "Show the values of the credential under the cursor for ten seconds, or hide them.",
    hint: 30,
    unavailable: (state, argument) => whileMasked(state) ?? noCredential(state, argument),
    run: on((state, screen) => stay(putScreen(state, toggledReveal(screen, state.now))))
  },
  {
    id: "all their events",
    keys: ["E"],
    name: "all events",
    description: "List every event of this subscriber.",
    hint: 50,
    run: on((state, { subscriberId }) => openEventsOf(state, subscriberId))
  }
])

/** One subscriber. */
export const subscriberKind: ScreenKind<SubscriberScreen> = {
  title: ({ subscriberId }) => `Subscriber ${subscriberId}`,
  actions,
  view: subscriberView,
  list: {
    length: ({ facts, screens }, { subscriberId }) =>
      channelsOf(facts, subscriberId).length + eventsOf(screens, subscriberId).length,
    height: (_, { height }) => subscriberHeight(height)
  },
  whole: (state, screen, columns) => {
    const list = listOf(state)
    const event = explainedEvent(state, screen)
    return list && event && titledPreview({ event, screen: list, state }, columns)
  },
  masked: (screen) => ({ ...screen, revealedUntil: undefined })
}
