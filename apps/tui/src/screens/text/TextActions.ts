import { make as makeField } from "../../keyboard/TextField.ts"
import { moveTo } from "../Listing.ts"
import { findLine, make as makeText, scrolled, withMatchInView } from "./TextScreen.ts"
import { fullText } from "../FullText.ts"
import { fullTextKey, fullTextKeyInForm } from "../../view/FullTextKey.ts"
import { pushScreen, putScreen, type State, stay, topScreen, withCommands } from "../../state/State.ts"
import type { Action } from "../../actions/Action.ts"
import { onScreen, unlessScreen } from "../../actions/OnScreen.ts"

const on = onScreen("Text")
const unless = unlessScreen("Text")

const step = 20

/** To a line in which the searched text was found. */
export const toMatch = (state: State, line: number): State => {
  const moved = moveTo(state, line)
  const screen = topScreen(moved)
  return screen._tag === "Text" ? putScreen(moved, withMatchInView(screen, state.size.columns)) : moved
}

const unsearched = unless((screen) => (screen.search === "" ? "search with / first" : undefined))

const openWhole = (state: State) => {
  const found = fullText(state)
  return stay(found === undefined ? state : pushScreen(state, (id) => makeText(id, found.title, found.text)))
}

const nothingWhole = (state: State) => (fullText(state) === undefined ? "there is nothing under the cursor" : undefined)

/** The actions on a long text. */
export const textActions: ReadonlyArray<Action> = [
  {
    id: "show all of it",
    keys: [fullTextKey],
    name: "all of it",
    description: "Show the full text about what is under the cursor, where a pane is too small for it.",
    places: ["Events", "Event", "Messages"],
    unavailable: nothingWhole,
    run: openWhole
  },
  {
    id: "show the request",
    keys: [fullTextKeyInForm],
    name: "request",
    description: "Show what changes and the whole request; its secrets stay hidden.",
    places: ["Credentials"],
    run: openWhole
  },
  {
    id: "search in the text",
    keys: ["/"],
    name: "search",
    description: "Find text; n and N go to the next and the previous place.",
    places: ["Text"],
    hint: 10,
    run: (state) => stay({ ...state, overlay: { _tag: "Prompt", purpose: "search", field: makeField() } })
  },
  {
    id: "next match",
    keys: ["n"],
    name: "next",
    description: "To the next place of the searched text.",
    places: ["Text"],
    hint: 20,
    unavailable: unsearched,
    run: on((state, screen) => stay(toMatch(state, findLine(screen, 1) ?? screen.cursor.at)))
  },
  {
    id: "previous match",
    keys: ["N"],
    name: "previous",
    description: "To the previous place of the searched text.",
    places: ["Text"],
    unavailable: unsearched,
    run: on((state, screen) => stay(toMatch(state, findLine(screen, -1) ?? screen.cursor.at)))
  },
  {
    id: "scroll right",
    keys: ["l", "right"],
    name: "right",
    description: "Show what is to the right of the window.",
    places: ["Text"],
    run: on((state, screen) => stay(putScreen(state, scrolled(screen, step, state.size.columns))))
  },
  {
    id: "scroll left",
    keys: ["h", "left"],
    name: "left",
    description: "Show what is to the left of the window.",
    places: ["Text"],
    run: on((state, screen) => stay(putScreen(state, scrolled(screen, -step, state.size.columns))))
  },
  {
    id: "copy the text",
    keys: ["y"],
    name: "copy",
    description: "Copy the whole text.",
    places: ["Text"],
    hint: 30,
    run: on((state, screen) => withCommands(state, { _tag: "Copy", text: screen.text, what: screen.title }))
  },
  {
    id: "open in the pager",
    keys: ["O"],
    name: "pager",
    description: "Open the whole text in $PAGER.",
    places: ["Text"],
    hint: 40,
    run: on((state, screen) => withCommands(state, { _tag: "OpenPager", text: screen.text }))
  },
  {
    id: "save the text",
    keys: ["e"],
    name: "save",
    description: "Save the whole text as a file in the current folder.",
    places: ["Text"],
    hint: 50,
    run: on((state, screen) =>
      withCommands(state, { _tag: "SaveFile", name: "signalbox-text.json", text: screen.text, what: screen.title })
    )
  }
]
