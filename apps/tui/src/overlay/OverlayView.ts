import { type Action, keyLabel, placeOf } from "../actions/Action.ts"
import { actionsAt } from "../app/Actions.ts"
import { text } from "../keyboard/TextField.ts"
import { type Overlay, type PromptPurpose, type State, topScreen } from "../state/State.ts"
import { safe } from "@signalbox/operator/text/Safe"
import { width, wrap } from "@signalbox/operator/text/Width"
import type { Area } from "../view/Area.ts"
import { paragraph } from "../view/Fact.ts"
import { fieldSpans } from "../view/Field.ts"
import { bodyHeight } from "../screens/Layout.ts"
import { legend } from "../view/Result.ts"
import { block, cell, column, inset, row, type Row, rule, span, spansWidth } from "../view/Row.ts"
import { completion } from "./FilterCompletion.ts"
import { found } from "./Palette.ts"

type Of<Tag extends Overlay["_tag"]> = Extract<Overlay, { readonly _tag: Tag }>

/** The keys of an action as the help names them, or its word. */
export const keysOf = (action: Action): string =>
  action.keys.length > 0
    ? (action.keysLabel ?? action.keys.map(keyLabel).join(", "))
    : action.word === undefined
      ? ""
      : `:${action.word}`

/** Cells of the keys and of the names in the help; `Actions.test.ts` holds the table to them. */
export const keyColumns = 16
export const nameColumns = 21

const helpLines = (action: Action, reason: string | undefined, columns: number): ReadonlyArray<Row> => {
  const words = reason === undefined ? action.description : `${action.description} Not now: ${reason}.`
  const tone = reason === undefined ? "plain" : "dim"
  const head = [
    span(" "),
    cell(keysOf(action), keyColumns, "key"),
    span(" "),
    cell(action.id, nameColumns, reason === undefined ? "strong" : "dim")
  ]
  const indent = columns < 76 ? 4 : spansWidth(head) + 1
  const lines = wrap(words, columns - indent - 1).map((line) => [span(" ".repeat(indent)), span(line, tone)])
  if (columns < 76) return [head, ...lines].map((spans) => row(spans, columns))
  const [, first = span("")] = lines[0] ?? []
  return [[...head, span(" "), first], ...lines.slice(1)].map((spans) => row(spans, columns))
}

/** Rows of the help that are not lines of it: what is searched for, and a rule. */
const helpHead = 2

const allHelpLines = (state: State, overlay: Of<"Help">, columns: number): ReadonlyArray<Row> => {
  const below = { ...state, overlay: undefined }
  const place = placeOf(below)
  const wanted = text(overlay.search).toLowerCase()
  const listed = actionsAt(place).filter(
    (action) =>
      wanted === "" ||
      [action.id, action.description, keysOf(action)].some((part) => part.toLowerCase().includes(wanted))
  )
  return [
    ...(wanted === "" && place === "Events"
      ? wrap(`Steps: ${legend}. A number before a key repeats it.`, columns - 2).map((line) =>
          row([span(` ${line}`, "dim")], columns)
        )
      : []),
    ...listed.flatMap((action) => helpLines(action, action.unavailable?.(below, ""), columns))
  ]
}

/** The help moved by lines, as far as there are any. */
export const scrolledHelp = (state: State, overlay: Of<"Help">, lines: number): Of<"Help"> => {
  const { columns } = state.size
  const last = Math.max(0, allHelpLines(state, overlay, columns).length - (bodyHeight(state.size) - helpHead))
  // After a resize there may be fewer lines than it was moved by.
  return { ...overlay, top: Math.max(0, Math.min(last, Math.min(last, overlay.top) + lines)) }
}

/** Cells that the search of the help takes at most. */
const searchColumns = 20

/** All keys of the screen below, searchable; those that cannot be used now say why. */
export const helpView = (state: State, overlay: Of<"Help">, { columns, height }: Area): ReadonlyArray<Row> => {
  const lines = allHelpLines(state, overlay, columns)
  const room = height - helpHead
  const top = Math.min(overlay.top, Math.max(0, lines.length - room))
  const place = placeOf({ ...state, overlay: undefined })
  const label = ` Keys of this screen (${place.toLowerCase()})  search: `
  const field = fieldSpans(overlay.search, Math.min(searchColumns, columns - width(label)), { focused: true })
  return [
    row([span(label, "title"), ...field], columns),
    rule(columns, state.settings.glyphs.line),
    ...block(lines.slice(top, top + room), room, columns)
  ]
}

/** The palette: what is typed, and the actions that it means. */
export const paletteView = (state: State, overlay: Of<"Palette">, { columns, height }: Area): ReadonlyArray<Row> => {
  const below = { ...state, overlay: undefined }
  const choices = found(below, text(overlay.field))
  const room = Math.max(1, Math.min(10, height - 4, choices.length))
  const top = Math.max(0, Math.min(overlay.cursor - room + 1, choices.length - room))
  const from = Math.max(0, top)
  const rows = choices.slice(from, from + room).map(({ action, argument }, index) => {
    const selected = from + index === overlay.cursor
    const reason = action.unavailable?.(below, argument)
    const name = action.word !== undefined && argument !== "" ? `${action.word} ${argument}` : action.id
    return row(
      [
        span(selected ? `${state.settings.glyphs.cursor} ` : "  ", "accent"),
        column(name, 26, reason === undefined ? "strong" : "dim"),
        column(keysOf(action), 12, "key"),
        span(reason === undefined ? action.description : `not now: ${reason}`, reason === undefined ? "plain" : "dim")
      ],
      columns,
      { selected }
    )
  })
  const chosen = choices[overlay.cursor]
  const takes = chosen?.action.argument === undefined ? "" : ` Takes: ${chosen.action.word} ${chosen.action.argument}`
  const explained = paragraph(chosen === undefined ? "" : chosen.action.description + takes, columns - 2, "notice").map(
    inset(1)
  )
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
  messages: "message ids"
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
    : `tab: ${words.join("  ")}${candidates.length > words.length ? " .." : ""}`
}

/** A one-line prompt; above it how the text can go on, or what is wrong with it. */
export const promptView = (state: State, overlay: Of<"Prompt">, columns: number): ReadonlyArray<Row> => {
  const label = ` ${labels[overlay.purpose]}: `
  const hint =
    overlay.purpose === "filter"
      ? filterHint(state, overlay)
      : overlay.purpose === "messages"
        ? "separated by commas, spaces or lines; paste works"
        : ""
  return [
    ...paragraph(overlay.problem ?? hint, columns - 2, overlay.problem === undefined ? "dim" : "failed").map(inset(1)),
    row([span(label, "key"), ...fieldSpans(overlay.field, columns - label.length, { focused: true })], columns)
  ]
}

/** Cells that a field for an id has at least. */
const leastFieldColumns = 20

/** The question before a write. */
export const confirmView = (overlay: Of<"Confirm">, { columns, height }: Area): ReadonlyArray<Row> => {
  const question = paragraph(overlay.question, columns - 2, "failed").map(inset(1))
  const asked = question.slice(0, height - 1)
  if (overlay.typed === undefined) return [...asked, row([span(" y yes, n or esc no", "key")], columns)]
  const whole = safe(` type ${overlay.typed} to confirm: `)
  // The question names a long id, too; the field beside it has to be seen.
  const label = width(whole) + leastFieldColumns <= columns ? whole : " type or paste this id to confirm: "
  return [
    ...asked,
    row([span(label, "key"), ...fieldSpans(overlay.field, columns - width(label) - 1, { focused: true })], columns)
  ]
}
