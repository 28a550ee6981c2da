import type { Bindings } from "../state/Settings.ts"
import type { Screen, State } from "../state/State.ts"
import { type Action, type Place, placeOf } from "../actions/Action.ts"
import { appActions } from "./AppActions.ts"
import { copyActions } from "../actions/CopyActions.ts"
import { moveActions } from "../actions/MoveActions.ts"
import { wholeActions } from "../actions/WholeActions.ts"
import { screenKinds } from "../screens/ScreenKinds.ts"
import { oncePer } from "@signalbox/operator/reading/OncePer"

/** Every action there is. */
export const actions: ReadonlyArray<Action> = [
  ...Object.values(screenKinds).flatMap((kind) => kind.actions),
  ...wholeActions,
  ...copyActions,
  ...moveActions,
  ...appActions
]

/** The keys of the table of actions. */
export const usualBindings: Bindings = new Map(
  actions.flatMap(({ id, keys: [first] }) => (first === undefined ? [] : [[id, first]]))
)

/** The groups of a screen's actions in its help. */
const groups: ReadonlyArray<readonly [title: string, actions: ReadonlyArray<Action>]> = [
  ["MOVE", moveActions],
  ["COPY AND SAVE", copyActions],
  ["EVERYWHERE", appActions]
]

/** The title of the group that an action is in. */
export const groupOf = (action: Action): string =>
  groups.find(([, members]) => members.some(({ id }) => id === action.id))?.[0] ?? "ON THIS SCREEN"

const lists: ReadonlySet<string> = new Set(
  Object.entries(screenKinds).flatMap(([tag, { list }]) => (list === undefined ? [] : [tag]))
)

/** Every place that takes keys. */
export const places: ReadonlyArray<Place> = [
  // The keys of a literal object.
  ...(Object.keys(screenKinds) as ReadonlyArray<Screen["_tag"]>),
  "Help",
  "Palette",
  "Prompt",
  "Confirm"
]

const isAt = (places: Action["places"], place: Place): boolean =>
  places.includes(place) || (places.includes("List") && lists.has(place))

/** The actions of each place, with their keys. */
type Table = ReadonlyMap<Place, { readonly actions: ReadonlyArray<Action>; readonly keys: ReadonlyMap<string, Action> }>

const tableOf: (own: Bindings) => Table = oncePer((own) => {
  const all = actions.map((action) => {
    const keys = own.get(action.id)
    return keys === undefined || keys === action.keys[0] ? action : Object.assign({}, action, { keys: [keys] })
  })
  return new Map(
    places.map((place) => {
      const here = all.filter((action) => isAt(action.places, place))
      const keys = new Map(here.flatMap((action) => action.keys.map((key) => [key, action] as const)))
      return [place, { actions: here, keys }]
    })
  )
})

/** The keys of a place. */
export const bindings = (place: Place, own: Bindings = usualBindings): ReadonlyMap<string, Action> =>
  tableOf(own).get(place)?.keys ?? new Map()

/** The actions of a place in the order of the table. */
export const actionsAt = (place: Place, own: Bindings = usualBindings): ReadonlyArray<Action> =>
  tableOf(own).get(place)?.actions ?? []

/** The actions of the footer, most useful first. */
export const hints = (state: State): ReadonlyArray<Action> =>
  actionsAt(placeOf(state), state.settings.bindings)
    .filter((action) => action.hint !== undefined && action.needsNoHint?.(state) !== true)
    .sort((a, b) => (a.hint ?? 0) - (b.hint ?? 0))
