import { type Action, whyRefused } from "../actions/Action.ts"
import { text } from "../keyboard/TextField.ts"
import { topScreen } from "../state/ScreenStack.ts"
import type { Overlay, State } from "../state/State.ts"
import type { PromptPurpose } from "../state/TypedBefore.ts"
import { exported } from "../actions/CopyActions.ts"
import { counted } from "@signalbox/operator/text/Counted"
import { parse } from "@signalbox/operator/filter/Filter"
import { cleanLine } from "@signalbox/operator/outlet/Outlet"
import { width } from "@signalbox/operator/text/Width"
import type { Area } from "../view/Area.ts"
import { paragraph } from "../view/Fact.ts"
import { maskedText } from "../state/Masking.ts"
import { fieldSpans } from "../view/Field.ts"
import { block, column, inset, row, type Row, rule, span } from "../view/Row.ts"
import { completion } from "./FilterCompletion.ts"
import { type Choice, found } from "./Palette.ts"

type Of<Tag extends Overlay["_tag"]> = Extract<Overlay, { readonly _tag: Tag }>

const choiceName = ({ action, argument }: Choice): string =>
  action.word !== undefined && argument !== "" ? `${action.word} ${argument}` : action.id

/** The effect and the arguments of an action, and why it cannot be run now. */
export const explanation = (action: Action, argument: string, below: State, columns: number): ReadonlyArray<Row> => {
  const takes = action.argument === undefined ? "" : ` Takes: :${action.word} ${action.argument}.`
  const reason = whyRefused(below, action, argument)
  const words = `${action.description}${takes}${reason === undefined ? "" : ` Not now: ${reason}.`}`
  return paragraph(words, columns - 2, reason === undefined ? "notice" : "dim").map(inset(1))
}

/** The palette: the typed text, and the actions that match it. */
export const paletteView = (state: State, overlay: Of<"Palette">, { columns, height }: Area): ReadonlyArray<Row> => {
  const below = { ...state, overlay: undefined }
  const choices = found(below, text(overlay.field))
  const room = Math.max(1, Math.min(10, height - 4, choices.length))
  const top = Math.max(0, Math.min(overlay.cursor - room + 1, choices.length - room))
  const from = Math.max(0, top)
  const shown = choices.slice(from, from + room)
  const longest = Math.max(0, ...shown.map((choice) => width(cleanLine(choiceName(choice)))))
  const nameColumns = Math.max(columns < 76 ? 20 : 26, Math.min(longest + 1, Math.floor(columns / 2) - 4))
  const rows = shown.map((choice, index) => {
    const { action, argument, description, keys } = choice
    const name = choiceName(choice)
    const selected = from + index === overlay.cursor
    const reason = whyRefused(below, action, argument)
    return row(
      [
        span(selected ? `${state.settings.glyphs.cursor} ` : "  ", "accent"),
        column(name, nameColumns, reason === undefined ? "strong" : "dim"),
        column(keys, 12, reason === undefined ? "key" : "dim"),
        span(reason === undefined ? description : `not now: ${reason}`, reason === undefined ? "plain" : "dim")
      ],
      columns,
      {
        selected,
        listed: true,
        spoken: `${selected ? "current, " : ""}${name}, ${keys}${reason === undefined ? "" : `, not now: ${reason}`}`
      }
    )
  })
  const chosen = choices[overlay.cursor]
  const explained = chosen === undefined ? [] : explanation(chosen.action, chosen.argument, below, columns)
  return [
    rule(columns, state.settings.glyphs.line),
    ...explained,
    ...block(
      rows.length === 0 ? [row([span("  no action has this name or key", "dim")], columns)] : rows,
      room,
      columns
    ),
    row([span(" :", "key"), ...fieldSpans(overlay.field, columns - 3, { focused: true })], columns)
  ]
}

const labels: Readonly<Record<PromptPurpose, string>> = {
  filter: "filter",
  search: "search",
  messages: "message ids",
  export: "save as",
  record: "record to"
}

/** The first mistake of a filter under edit; absent while the term at the cursor may still become right. */
const mistakeIn = (state: State, overlay: Of<"Prompt">): string | undefined => {
  const screen = topScreen(state)
  const typed = text(overlay.field)
  if (overlay.purpose !== "filter" || screen._tag !== "Events" || typed.trim() === "") return undefined
  const parsed = parse(typed)
  if (parsed._tag === "Parsed") return undefined
  const { candidates, from } = completion(screen, overlay.field)
  return candidates.length > 0 && parsed.to >= from ? undefined : parsed.message
}

const filterHint = (state: State, overlay: Of<"Prompt">): string => {
  const screen = topScreen(state)
  if (screen._tag !== "Events") return ""
  const { candidates } = completion(screen, overlay.field)
  const [first] = candidates
  if (first === undefined) return "enter applies it"
  const words = candidates.slice(0, 12).map((candidate) => candidate.text)
  return candidates.length === 1 && first.description !== ""
    ? `${first.text} ${first.description}`
    : `tab: ${words.join("  ")}${candidates.length > words.length ? `  … ${candidates.length - words.length} more` : ""}`
}

/** A one-line prompt; above it the completions of the text, or its error. */
export const promptView = (state: State, overlay: Of<"Prompt">, columns: number): ReadonlyArray<Row> => {
  const label = ` ${labels[overlay.purpose]}: `
  const typed = text(overlay.field)
  const secret = overlay.purpose === "filter" && state.settings.masked && maskedText(typed) !== typed
  const hint =
    overlay.purpose === "filter"
      ? filterHint(state, overlay)
      : overlay.purpose === "messages"
        ? "separated by commas, spaces or lines; paste works"
        : overlay.purpose === "export"
          ? `${counted(exported(state).length, "event")} as NDJSON without secrets; a file that exists is never overwritten`
          : overlay.purpose === "record"
            ? "without secrets; names, addresses and payloads stay readable unless masked"
            : ""
  const problem = overlay.problem ?? mistakeIn(state, overlay)
  return [
    ...paragraph(problem ?? hint, columns - 2, problem === undefined ? "dim" : "failed").map(inset(1)),
    row([span(label, "key"), ...fieldSpans(overlay.field, columns - label.length, { focused: true, secret })], columns)
  ]
}

/** Cells that a field for an id has at least. */
const leastFieldColumns = 20

/** The question before a write. */
export const confirmView = (
  { settings }: State,
  overlay: Of<"Confirm">,
  { columns, height }: Area
): ReadonlyArray<Row> => {
  const question = [
    rule(columns, settings.glyphs.line),
    ...paragraph(overlay.question, columns - 2, "failed").map(inset(1))
  ]
  const questionRows = question.slice(0, height - 1)
  if (overlay.typed === undefined) return [...questionRows, row([span(" y yes, n or esc no", "key")], columns)]
  const whole = cleanLine(` type ${overlay.typed} to confirm: `)
  // The question names a long id, too; the field next to it must be visible.
  const label = width(whole) + leastFieldColumns <= columns ? whole : " type or paste this id to confirm: "
  return [
    ...questionRows,
    row([span(label, "key"), ...fieldSpans(overlay.field, columns - width(label) - 1, { focused: true })], columns)
  ]
}
