import { span } from "../../view/Row.ts"
import type { ScreenKind } from "../ScreenKind.ts"
import { textView } from "./TextView.ts"
import { withCursorAt } from "../Cursor.ts"
import { make as makeField } from "../../keyboard/TextField.ts"
import { findLine, scrolled, type TextScreen, withMatchInView } from "./TextScreen.ts"
import { putScreen } from "../../state/ScreenStack.ts"
import { type State, stay, withCommands } from "../../state/State.ts"
import { placed } from "../../actions/Action.ts"
import { onScreen, unlessScreen } from "../../actions/OnScreen.ts"

const on = onScreen("Text")
const unless = unlessScreen("Text")

const step = 20

/** To a line in which the searched text was found. */
export const toMatch = (state: State, screen: TextScreen, line: number): State =>
  putScreen(state, withMatchInView(withCursorAt(screen, line), state.size.columns))

const unsearched = unless((screen) => (screen.search === "" ? "search with / first" : undefined))

/** The actions on a long text. */
const actions = placed("Text", [
  {
    id: "search in the text",
    keys: ["/"],
    name: "search",
    description: "Find text; n and N go to the next and the previous place.",
    hint: 10,
    run: (state) => stay({ ...state, overlay: { _tag: "Prompt", purpose: "search", field: makeField() } })
  },
  {
    id: "next match",
    keys: ["n"],
    name: "next",
    description: "To the next place of the searched text.",
    hint: 20,
    unavailable: unsearched,
    run: on((state, screen) => stay(toMatch(state, screen, findLine(screen, 1) ?? screen.cursor.at)))
  },
  {
    id: "previous match",
    keys: ["N"],
    description: "To the previous place of the searched text.",
    unavailable: unsearched,
    run: on((state, screen) => stay(toMatch(state, screen, findLine(screen, -1) ?? screen.cursor.at)))
  },
  {
    id: "scroll right",
    keys: ["l", "right"],
    description: "Show what is to the right of the window.",
    run: on((state, screen) => stay(putScreen(state, scrolled(screen, step, state.size.columns))))
  },
  {
    id: "scroll left",
    keys: ["h", "left"],
    description: "Show what is to the left of the window.",
    run: on((state, screen) => stay(putScreen(state, scrolled(screen, -step, state.size.columns))))
  },
  {
    id: "copy the text",
    keys: ["y"],
    name: "copy",
    description: "Copy the whole text.",
    hint: 30,
    run: on((state, screen) => withCommands(state, { _tag: "Copy", text: screen.text, what: screen.title }))
  },
  {
    id: "open in the pager",
    keys: ["O"],
    name: "pager",
    description: "Open the whole text in $PAGER.",
    hint: 40,
    run: on((state, screen) => withCommands(state, { _tag: "OpenPager", text: screen.text }))
  },
  {
    id: "save the text",
    keys: ["e"],
    name: "save",
    description: "Save the whole text as a file in the current folder.",
    hint: 50,
    run: on((state, screen) =>
      withCommands(state, { _tag: "SaveFile", name: "signalbox-text.json", text: screen.text, what: screen.title })
    )
  }
])

/** A long string. */
export const textKind: ScreenKind<TextScreen> = {
  title: ({ title }) => title,
  status: ({ cursor, lines }) => [span(`line ${cursor.at + 1} of ${lines.length} `, "dim")],
  actions,
  view: (_, screen, area) => textView(screen, area),
  list: { length: (_, { lines }) => lines.length, height: (_, { height }) => height },
  // Nothing tells what is personal in raw JSON.
  masked: () => undefined
}
