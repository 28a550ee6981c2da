import { openForm } from "../Drafts.ts"
import { channelsOf } from "./SubscriberScreen.ts"
import { putScreen, stay } from "../../state/State.ts"
import { openEventsOf } from "../events/EventsActions.ts"
import type { Action } from "../../actions/Action.ts"
import { onScreen, unlessScreen } from "../../actions/OnScreen.ts"
import { toggledReveal } from "../../state/Revealing.ts"

const on = onScreen("Subscriber")
const unless = unlessScreen("Subscriber")

const noCredential = unless((screen, state) =>
  channelsOf(state.facts, screen.subscriberId).length === 0 ? "no credential is known yet; a adds one" : undefined
)

/** What can be done with a subscriber. */
export const subscriberActions: ReadonlyArray<Action> = [
  {
    id: "add credentials",
    keys: ["a"],
    name: "add credentials",
    description: "Open an empty credentials form for this subscriber.",
    places: ["Subscriber"],
    hint: 10,
    writes: true,
    run: on((state, { subscriberId }) => stay(openForm({ ...state, fix: undefined }, subscriberId)))
  },
  {
    id: "change credentials",
    keys: ["enter"],
    name: "change",
    description: "Open the form with the provider under the cursor filled in.",
    places: ["Subscriber"],
    hint: 20,
    writes: true,
    unavailable: noCredential,
    run: on((state, screen) => {
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
    places: ["Subscriber"],
    hint: 30,
    unavailable: noCredential,
    run: on((state, screen) => stay(putScreen(state, toggledReveal(screen, state.now))))
  },
  {
    id: "all their events",
    keys: ["E"],
    name: "all events",
    description: "List every event of this subscriber.",
    places: ["Subscriber"],
    hint: 50,
    run: on((state, { subscriberId }) => openEventsOf(state, subscriberId))
  }
]
