import type { State } from "../state/State.ts"
import { type Action, type Place, placeOf } from "./Action.ts"
import { appActions } from "./AppActions.ts"
import { copyActions } from "./CopyActions.ts"
import { credentialsActions } from "./CredentialsActions.ts"
import { eventActions } from "./EventActions.ts"
import { eventsActions } from "./EventsActions.ts"
import { messagesActions } from "./MessagesActions.ts"
import { moveActions } from "./MoveActions.ts"
import { subscriberActions } from "./SubscriberActions.ts"
import { textActions } from "./TextActions.ts"

/** Every action there is. */
export const actions: ReadonlyArray<Action> = [
  ...eventsActions,
  ...eventActions,
  ...copyActions,
  ...subscriberActions,
  ...messagesActions,
  ...credentialsActions,
  ...textActions,
  ...moveActions,
  ...appActions
]

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
