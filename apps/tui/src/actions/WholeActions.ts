import { pushScreen, topScreen } from "../state/ScreenStack.ts"
import { type State, stay } from "../state/State.ts"
import { kindOf } from "../screens/ScreenKinds.ts"
import { make as makeText } from "../screens/text/TextScreen.ts"
import { plain } from "../view/Row.ts"
import type { Action } from "./Action.ts"

/** The width of the line numbers, in cells. */
const gutter = 5

const wholeOf = (state: State) => {
  const screen = topScreen(state)
  return kindOf(screen).whole?.(state, screen, state.size.columns - gutter)
}

const openWhole = (state: State) => {
  const found = wholeOf(state)
  if (found === undefined) return stay(state)
  const [title, rows] = found
  return stay(pushScreen(state, (id) => makeText(id, title, rows.map((row) => plain(row).trimEnd()).join("\n"))))
}

/** Everything a screen shows about the item under its cursor, for terminals whose pane is too small. */
export const wholeActions: ReadonlyArray<Action> = [
  {
    id: "show all of it",
    keys: ["z"],
    description: "Show the full text about what is under the cursor, where a pane is too small for it.",
    places: ["Events", "Event", "Subscriber", "Messages", "Requests", "Run"],
    unavailable: (state) => (wholeOf(state) === undefined ? "there is nothing under the cursor" : undefined),
    run: openWhole
  },
  {
    id: "show the request",
    keys: ["ctrl-t"],
    description: "Show what changes and the whole request; its secrets stay hidden.",
    places: ["Credentials"],
    run: openWhole
  }
]
