import type { State } from "../state/State.ts"
import { type Action, type Place, placeOf } from "../actions/Action.ts"
import { appActions } from "./AppActions.ts"
import { copyActions } from "../actions/CopyActions.ts"
import { moveActions } from "../actions/MoveActions.ts"
import { wholeActions } from "../actions/WholeActions.ts"
import { screenKinds } from "../screens/ScreenKinds.ts"

/** Every action there is. */
export const actions: ReadonlyArray<Action> = [
  ...Object.values(screenKinds).flatMap((kind) => kind.actions),
  ...wholeActions,
  ...copyActions,
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

const lists: ReadonlySet<string> = new Set(
  Object.entries(screenKinds).flatMap(([tag, { list }]) => (list === undefined ? [] : [tag]))
)

const isAt = ({ places }: Action, place: Place): boolean =>
  places.includes(place) || (places.includes("List") && lists.has(place))

const byPlace = new Map<Place, ReadonlyMap<string, Action>>()

/** The bindings of a place. */
export const bindings = (place: Place): ReadonlyMap<string, Action> => {
  const known = byPlace.get(place)
  if (known !== undefined) return known
  const made = new Map<string, Action>()
  for (const action of actions) {
    if (isAt(action, place)) for (const key of action.keys) made.set(key, action)
  }
  byPlace.set(place, made)
  return made
}

/** The actions of a place in the order of the table. */
export const actionsAt = (place: Place): ReadonlyArray<Action> => actions.filter((action) => isAt(action, place))

/** The actions that the footer shows, most useful first. */
export const hints = (state: State): ReadonlyArray<Action> =>
  actionsAt(placeOf(state))
    .filter((action) => action.hint !== undefined && action.needsNoHint?.(state) !== true)
    .sort((a, b) => (a.hint ?? 0) - (b.hint ?? 0))
