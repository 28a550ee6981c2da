/** The stack of screens: the last one is on top. */
import type { Problem } from "@signalbox/operator/report/ProblemReport"
import type { EventsScreen } from "../screens/events/EventsScreen.ts"
import type { Screen, State } from "./State.ts"

/** The screen on top. */
export const topScreen = (state: State): Screen => {
  const screen = state.screens.at(-1)
  if (screen === undefined) throw new Error("the stack of screens is empty")
  return screen
}

/** The list that the top screen is, or was opened from. */
export const listOf = ({ screens }: Pick<State, "screens">): EventsScreen | undefined =>
  screens.findLast((screen) => screen._tag === "Events")

/** The problem of a screen; absent on those that send no request. */
export const problemOn = (screen: Screen): Problem | undefined => ("problem" in screen ? screen.problem : undefined)

/** The state with the screen of the same id replaced, also one that was left; unchanged when that screen is gone. */
export const putScreen = (state: State, screen: Screen): State => ({
  ...state,
  screens: state.screens.map((other) => (other.id === screen.id ? screen : other)),
  drafts: state.drafts.map((other) => (other.id === screen.id && other._tag === screen._tag ? screen : other))
})

/** The state with a screen opened on top. */
export const pushScreen = (state: State, make: (id: number) => Screen): State => ({
  ...state,
  nextId: state.nextId + 1,
  screens: [...state.screens, make(state.nextId)]
})

/** The state with the top screen closed; the first screen stays. */
export const popScreen = (state: State): State =>
  state.screens.length === 1 ? state : { ...state, screens: state.screens.slice(0, -1) }

/** The screen of an id and kind, if it is open, or closed with unsaved work. */
export const findScreen = <Kind extends Screen["_tag"]>(
  state: State,
  id: number,
  kind: Kind
): Extract<Screen, { readonly _tag: Kind }> | undefined =>
  [...state.screens, ...state.drafts].find(
    (screen): screen is Extract<Screen, { readonly _tag: Kind }> => screen.id === id && screen._tag === kind
  )
