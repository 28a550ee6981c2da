import { listing, moveBy, moveTo } from "../screens/Listing.ts"
import { closeTop } from "../screens/Drafts.ts"
import { putScreen, topScreen } from "../state/ScreenStack.ts"
import { type Screen, type State, stay, withCommands } from "../state/State.ts"
import { type Action, placed } from "./Action.ts"

const half = (state: State): number => Math.max(1, Math.floor((listing(state)?.height ?? 2) / 2))
const full = (state: State): number => Math.max(1, (listing(state)?.height ?? 2) - 1)

/** The screen with what Escape ends before it leaves: a range, or a search further back; absent when there is neither. */
const unfinished = (screen: Screen): Screen | undefined => {
  if ("anchor" in screen && screen.anchor !== undefined) return { ...screen, anchor: undefined }
  return screen._tag === "Events" && screen.readAhead?.purpose === "search"
    ? { ...screen, readAhead: undefined }
    : undefined
}

/** Whether the top screen is being read: Escape stops that before it closes the screen. The first one cannot be closed. */
const isReadingHere = (state: State): boolean => {
  if (!state.tasks.some(({ writes }) => !writes)) return false
  const screen = topScreen(state)
  if (screen._tag === "Event") return screen.loading && screen.following === 0
  return state.screens.length === 1 || (screen._tag === "Events" && screen.loading !== undefined)
}

const move = (id: string, keys: ReadonlyArray<string>, description: string, to: (state: State) => State): Action => ({
  id,
  keys,
  description,
  places: ["List"],
  run: (state) => stay(to(state))
})

/** Moving about, the same on every screen. */
export const moveActions = placed("List", [
  move("down", ["j", "down"], "Down one line.", (state) => moveBy(state, 1)),
  move("up", ["k", "up"], "Up one line.", (state) => moveBy(state, -1)),
  move("first", ["g g", "home"], "To the first line.", (state) => moveTo(state, 0)),
  move("last", ["G", "end"], "To the last loaded line.", (state) => moveTo(state, (listing(state)?.length ?? 1) - 1)),
  move("half page down", ["ctrl-d"], "Down half a page.", (state) => moveBy(state, half(state))),
  move("half page up", ["ctrl-u"], "Up half a page.", (state) => moveBy(state, -half(state))),
  move("page down", ["pagedown", "ctrl-f"], "Down one page.", (state) => moveBy(state, full(state))),
  move("page up", ["pageup", "ctrl-b"], "Up one page.", (state) => moveBy(state, -full(state))),
  {
    id: "back",
    keys: ["escape"],
    description: "Cancel a range, a search or a read; otherwise go back to the previous screen.",
    places: ["List", "Credentials"],
    hint: 90,
    needsNoHint: (state) =>
      state.screens.length === 1 && unfinished(topScreen(state)) === undefined && !isReadingHere(state),
    run: (state) => {
      const ended = unfinished(topScreen(state))
      if (ended !== undefined) return stay(putScreen(state, ended))
      return isReadingHere(state) ? withCommands(state, { _tag: "StopReading" }) : stay(closeTop(state))
    }
  }
])
