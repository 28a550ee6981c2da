import { press, perform } from "../app/RunAction.ts"
import { exportTo } from "../actions/CopyActions.ts"
import { startRecording } from "../actions/RecordAction.ts"
import { bindings } from "../app/Actions.ts"
import { applyFilter, previewFilter } from "../screens/events/EventsUpdate.ts"
import { type Filter, parse } from "@signalbox/operator/filter/Filter"
import { filterKeyNames } from "@signalbox/operator/filter/FilterKey"
import { visible } from "../screens/events/EventsScreen.ts"
import type { Key } from "../keyboard/Key.ts"
import { edit, insert, make as makeField, text, type TextField } from "../keyboard/TextField.ts"
import { findLine, withSearch } from "../screens/text/TextScreen.ts"
import { toMatch } from "../screens/text/TextActions.ts"
import * as MessagesUpdate from "../screens/messages/MessagesUpdate.ts"
import { putScreen, topScreen } from "../state/ScreenStack.ts"
import { type Overlay, type Prompt, type State, stay, type Transition, withNotice } from "../state/State.ts"
import { joined } from "../state/TypedBefore.ts"
import { cleanLine } from "@signalbox/operator/outlet/Outlet"
import { truncate } from "@signalbox/operator/text/Width"
import { completed as completedFilter } from "./FilterCompletion.ts"
import { helpActions } from "./HelpView.ts"
import { describedScore, found } from "./Palette.ts"

const close = (state: State): State => ({ ...state, overlay: undefined })

const remember = (state: State, { field, purpose }: Prompt): State => ({
  ...state,
  typedBefore: new Map([...state.typedBefore, [purpose, joined(state.typedBefore.get(purpose), [text(field)])]])
})

const readFilter = (typed: string): Filter | undefined => {
  const read = parse(typed)
  return read._tag === "Refused" ? undefined : read.filter
}

/** The part before the last term. */
const withoutLastTerm = (typed: string): string => typed.replace(/\S+\s*$/u, "")

/** Whether the last term may become a key: `sta`, on the way to `status:failed`. */
const startsKey = (typed: string): boolean => {
  const word = /-?(\S+)$/u.exec(typed)?.[1] ?? ""
  return word !== "" && filterKeyNames.some((name) => name.startsWith(word))
}

const isAnyListed = (state: State): boolean => {
  const screen = topScreen(state)
  return screen._tag === "Events" && visible(screen).length > 0
}

/** The state with the rows that the filter under edit leaves. */
const narrow = (state: State, overlay: Overlay): State => {
  const screen = topScreen(state)
  if (overlay._tag !== "Prompt" || overlay.purpose !== "filter" || screen._tag !== "Events") return state
  const typed = text(overlay.field)
  const whole = readFilter(typed)
  const narrowed = whole === undefined ? undefined : previewFilter(state, screen, whole)
  if (narrowed !== undefined && (!startsKey(typed) || isAnyListed(narrowed))) return narrowed
  // A key without its value hides nothing; nor does the start of one that no event contains.
  const rest = readFilter(withoutLastTerm(typed))
  return rest === undefined ? state : previewFilter(state, screen, rest)
}

/** The state with another text in the field of the overlay. */
const typed = (state: State, overlay: Overlay, field: TextField): State => {
  const next = withField(overlay, field)
  return narrow({ ...state, overlay: next }, next)
}

const widen = (state: State): State => {
  const screen = topScreen(state)
  return screen._tag === "Events" ? previewFilter(state, screen, undefined) : state
}

/** Closes the overlay; the text of a prompt is one key away when it is opened again. */
const leave = (state: State, overlay: Overlay): State =>
  close(overlay._tag === "Prompt" && text(overlay.field).trim() !== "" ? widen(remember(state, overlay)) : widen(state))

/** Goes back through what was typed before, or forward to the text under edit. */
const recall = (state: State, overlay: Prompt, step: 1 | -1): State => {
  const before = state.typedBefore.get(overlay.purpose) ?? []
  const from = overlay.recalled ?? { back: 0, typed: text(overlay.field) }
  const back = Math.max(0, Math.min(before.length, from.back + step))
  if (back === from.back) return state
  const field = makeField(back === 0 ? from.typed : before.at(-back))
  const next = { ...withField(overlay, field), recalled: { back, typed: from.typed } }
  return narrow({ ...state, overlay: next }, next)
}

const withField = (overlay: Overlay, field: TextField): Overlay => {
  switch (overlay._tag) {
    case "Help":
      return { ...overlay, search: field, cursor: 0 }
    case "Palette":
      return { ...overlay, field, cursor: 0 }
    case "Prompt":
      return { _tag: "Prompt", purpose: overlay.purpose, field }
    case "Confirm":
      return { ...overlay, field }
  }
}

const fieldOf = (overlay: Overlay): TextField => (overlay._tag === "Help" ? overlay.search : overlay.field)

const submitPrompt = (state: State, overlay: Prompt): Transition => {
  const screen = topScreen(state)
  const typed = text(overlay.field).trim()
  if (overlay.purpose === "filter" && screen._tag === "Events") {
    const parsed = parse(typed)
    return parsed._tag === "Refused"
      ? stay({ ...state, overlay: { ...overlay, problem: parsed.message } })
      : applyFilter(close(remember(state, overlay)), screen, parsed.filter)
  }
  if (overlay.purpose === "search" && screen._tag === "Text") {
    const searched = withSearch(screen, typed)
    const at = findLine({ ...searched, cursor: { ...screen.cursor, at: screen.cursor.at - 1 } }, 1)
    const next = leave(state, overlay)
    return stay(
      at === undefined && typed !== ""
        ? withNotice(putScreen(next, searched), `"${typed}" is not in this text`, "warning")
        : toMatch(next, searched, at ?? screen.cursor.at)
    )
  }
  if (overlay.purpose === "messages" && screen._tag === "Messages")
    return MessagesUpdate.addIds(leave(state, overlay), screen, typed)
  if (overlay.purpose === "record" && typed !== "") return startRecording(leave(state, overlay), typed)
  if (overlay.purpose === "export" && typed !== "") return exportTo(leave(state, overlay), typed)
  return stay(leave(state, overlay))
}

const submitPalette = (state: State, overlay: Extract<Overlay, { readonly _tag: "Palette" }>): Transition => {
  const choice = found(close(state), text(overlay.field))[overlay.cursor]
  if (choice === undefined) return stay(withNotice(state, "no action has this name or key", "warning"))
  // The word is in its description alone: a user who types a name and presses enter means another action.
  if (choice.score >= describedScore && overlay.cursor === 0)
    return stay(withNotice(state, `no action here has this name; tab takes ${choice.completion.trim()}`, "warning"))
  return perform(close(state), choice.action, choice.argument)
}

/** Runs the action under the cursor of the help. */
const submitHelp = (state: State, overlay: Extract<Overlay, { readonly _tag: "Help" }>): Transition => {
  const action = helpActions(state, overlay)[overlay.cursor]
  return action === undefined ? stay(close(state)) : perform(close(state), action)
}

/** Converts a string to a form that users can type: invisible characters become their displayed names. */
const asTyped = (shown: string): string => cleanLine(shown).replaceAll(/ +/gu, " ").trim()

const submitConfirm = (state: State, overlay: Extract<Overlay, { readonly _tag: "Confirm" }>): Transition => {
  if (overlay.typed !== undefined && asTyped(text(overlay.field)) !== asTyped(overlay.typed)) {
    return stay(withNotice(state, `type ${truncate(cleanLine(overlay.typed), 40)} to confirm, or press esc`, "warning"))
  }
  return overlay.accept(close(state))
}

const completed = (state: State, overlay: Overlay): Overlay => {
  const screen = topScreen(state)
  if (overlay._tag === "Prompt" && overlay.purpose === "filter" && screen._tag === "Events") {
    return withField(overlay, completedFilter(screen, overlay.field))
  }
  if (overlay._tag !== "Palette") return overlay
  const choice = found(close(state), text(overlay.field))[overlay.cursor]
  return choice === undefined ? overlay : withField(overlay, makeField(choice.completion))
}

const moved = (state: State, overlay: Overlay, step: number): Overlay => {
  if (overlay._tag === "Palette") {
    const { length } = found(close(state), text(overlay.field))
    return { ...overlay, cursor: Math.max(0, Math.min(length - 1, overlay.cursor + step)) }
  }
  if (overlay._tag !== "Help") return overlay
  const last = Math.max(0, helpActions(state, overlay).length - 1)
  return { ...overlay, cursor: Math.max(0, Math.min(last, overlay.cursor + step)) }
}

const recallKeys: ReadonlyMap<string, 1 | -1> = new Map([
  ["up", 1],
  ["ctrl-p", 1],
  ["down", -1],
  ["ctrl-n", -1]
])

/** A key while something lies over the screen. */
export const overlayKey = (state: State, key: Key): Transition => {
  const { overlay } = state
  if (overlay === undefined) return stay(state)
  if (bindings(overlay._tag, state.settings.bindings).has(key.name)) return press(state, key)
  const step = recallKeys.get(key.name)
  if (overlay._tag === "Prompt" && step !== undefined) return stay(recall(state, overlay, step))
  switch (key.name) {
    case "escape":
      return stay(leave(state, overlay))
    case "up":
    case "ctrl-p":
      return stay({ ...state, overlay: moved(state, overlay, -1) })
    case "down":
    case "ctrl-n":
      return stay({ ...state, overlay: moved(state, overlay, 1) })
    case "pageup":
      return stay({ ...state, overlay: moved(state, overlay, -10) })
    case "pagedown":
      return stay({ ...state, overlay: moved(state, overlay, 10) })
    case "tab":
      return stay(narrow({ ...state, overlay: completed(state, overlay) }, completed(state, overlay)))
    case "enter":
      if (overlay._tag === "Prompt") return submitPrompt(state, overlay)
      if (overlay._tag === "Palette") return submitPalette(state, overlay)
      return overlay._tag === "Confirm" ? submitConfirm(state, overlay) : submitHelp(state, overlay)
    case "backspace":
      // Backspace in an empty line leaves it, as in other programs with a `:` line.
      if (fieldOf(overlay).graphemes.length === 0 && overlay._tag !== "Confirm") return stay(close(state))
  }
  if (overlay._tag === "Confirm" && overlay.typed === undefined) {
    if (key.name === "y") return submitConfirm(state, overlay)
    return key.name === "n" ? stay(close(state)) : stay(state)
  }
  if (overlay._tag === "Help" && key.name === "?" && overlay.search.graphemes.length === 0) return stay(close(state))
  const field = edit(fieldOf(overlay), key)
  return stay(field === undefined ? state : { ...typed(state, overlay, field), notice: undefined })
}

/** Characters that a line takes of one paste. Each key looks at the whole line: a megabyte would freeze the screen. */
const longestPaste = 10_000

/** Pasted text goes into the field as one line; only lists of message ids may be as long as they come. */
export const overlayPaste = (state: State, pasted: string): Transition => {
  const { overlay } = state
  if (overlay === undefined) return stay(state)
  const isList = overlay._tag === "Prompt" && overlay.purpose === "messages"
  const kept = isList ? pasted : pasted.slice(0, longestPaste).replace(/\p{Surrogate}$/u, "")
  const field = insert(fieldOf(overlay), kept.replaceAll(/[\r\n\t]+/gu, " "))
  const next = typed(state, overlay, field)
  return stay(
    kept === pasted ? next : withNotice(next, `only the first ${longestPaste} characters were pasted`, "warning")
  )
}
