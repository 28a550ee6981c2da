import type { State } from "../state/State.ts"
import { type Action, type Place, placeOf } from "../actions/Action.ts"
import { appActions } from "./AppActions.ts"
import { copyActions } from "../actions/CopyActions.ts"
import { causesActions } from "../screens/causes/CausesActions.ts"
import { compareActions } from "../screens/compare/CompareActions.ts"
import { credentialsActions } from "../screens/credentials/CredentialsActions.ts"
import { eventActions } from "../screens/event/EventActions.ts"
import { eventsActions } from "../screens/events/EventsActions.ts"
import { messagesActions } from "../screens/messages/MessagesActions.ts"
import { moveActions } from "../actions/MoveActions.ts"
import { requestsActions } from "../screens/requests/RequestsActions.ts"
import { subscriberActions } from "../screens/subscriber/SubscriberActions.ts"
import { textActions } from "../screens/text/TextActions.ts"

/** Every action there is. */
export const actions: ReadonlyArray<Action> = [
  ...eventsActions,
  ...causesActions,
  ...eventActions,
  ...copyActions,
  ...subscriberActions,
  ...messagesActions,
  ...credentialsActions,
  ...compareActions,
  ...requestsActions,
  ...textActions,
  ...moveActions,
  ...appActions
]

/** The groups of a screen's actions in its help. */
const groups: ReadonlyArray<readonly [title: string, actions: ReadonlyArray<Action>]> = [
  ["MOVE", moveActions],
  ["COPY AND SAVE", copyActions],
  ["EVERYWHERE", appActions]
]

/** The title of the group that an action is in. */
export const groupOf = (action: Action): string =>
  groups.find(([, members]) => members.includes(action))?.[0] ?? "ON THIS SCREEN"

const byPlace = new Map<Place, ReadonlyMap<string, Action>>()

/** The bindings of a place. */
export const bindings = (place: Place): ReadonlyMap<string, Action> => {
  const known = byPlace.get(place)
  if (known !== undefined) return known
  const made = new Map<string, Action>()
  for (const action of actions) {
    if (action.places.includes(place)) for (const key of action.keys) made.set(key, action)
  }
  byPlace.set(place, made)
  return made
}

/** The actions of a place in the order of the table. */
export const actionsAt = (place: Place): ReadonlyArray<Action> => actions.filter(({ places }) => places.includes(place))

/** The actions that the footer shows, most useful first. */
export const hints = (state: State): ReadonlyArray<Action> =>
  actionsAt(placeOf(state))
    .filter((action) => action.hint !== undefined && action.needsNoHint?.(state) !== true)
    .sort((a, b) => (a.hint ?? 0) - (b.hint ?? 0))
