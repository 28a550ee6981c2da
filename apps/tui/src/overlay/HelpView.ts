import { type Action, keysOf, placeOf, whyRefused } from "../actions/Action.ts"
import { actionsAt, groupOf } from "../app/Actions.ts"
import { text } from "../keyboard/TextField.ts"
import type { Overlay, State } from "../state/State.ts"
import { width } from "@signalbox/operator/text/Width"
import type { Area } from "../view/Area.ts"
import { paragraph } from "../view/Fact.ts"
import { fieldSpans } from "../view/Field.ts"
import { explanation } from "./OverlayView.ts"
import { legend } from "../view/Result.ts"
import { sideBySide, block, cell, inset, row, type Row, rule, span } from "../view/Row.ts"

type Help = Extract<Overlay, { readonly _tag: "Help" }>

/** Cells of the keys and of the names; `Actions.test.ts` holds the table to them. */
export const keyColumns = 16
export const nameColumns = 21

/** The actions of the screen below that the search finds, group by group. */
const groupsFound = (state: State, { search }: Help): ReadonlyMap<string, ReadonlyArray<Action>> => {
  const wanted = text(search).toLowerCase()
  const found = actionsAt(placeOf({ ...state, overlay: undefined }), state.settings.bindings).filter(
    (action) =>
      wanted === "" ||
      [action.id, action.description, keysOf(action)].some((part) => part.toLowerCase().includes(wanted))
  )
  const groups = new Map<string, Array<Action>>()
  for (const action of found) {
    const title = groupOf(action)
    const group = groups.get(title)
    if (group === undefined) groups.set(title, [action])
    else group.push(action)
  }
  return groups
}

/** The actions that the help lists, in its order. */
export const helpActions = (state: State, overlay: Help): ReadonlyArray<Action> =>
  Array.from(groupsFound(state, overlay).values()).flat()

/** A line of the help: the title of a group, or one of its actions. */
type Line = string | Action

const linesOf = (groups: ReadonlyMap<string, ReadonlyArray<Action>>): ReadonlyArray<Line> =>
  Array.from(groups)
    .flatMap(([title, actions]): ReadonlyArray<Line> => [["", title], actions].flat())
    .slice(1)

/** The lines in two columns of about the same height: the second starts with a group where one is near the middle. */
const inTwo = (lines: ReadonlyArray<Line>): readonly [ReadonlyArray<Line>, ReadonlyArray<Line>] => {
  const middle = Math.ceil(lines.length / 2)
  const higher = (at: number) => Math.max(at, lines.length - at - 1)
  const [gap] = Array.from(lines.keys())
    .filter((at) => lines[at] === "" && higher(at) <= lines.length * 0.75)
    .sort((a, b) => higher(a) - higher(b))
  return gap === undefined ? [lines.slice(0, middle), lines.slice(middle)] : [lines.slice(0, gap), lines.slice(gap + 1)]
}

const lineRow = (line: Line, chosen: Action | undefined, state: State, columns: number): Row => {
  if (typeof line === "string") return row([span(line === "" ? "" : ` ${line}`, "title")], columns, { spoken: line })
  const below = { ...state, overlay: undefined }
  const off = whyRefused(below, line) !== undefined
  const selected = line === chosen
  const keys = Math.min(keyColumns, Math.max(8, columns - nameColumns - 3))
  return row(
    [
      span(selected ? state.settings.glyphs.cursor : " ", "accent"),
      cell(keysOf(line), keys, off ? "dim" : "key"),
      span(" "),
      span(line.id, off ? "dim" : "plain")
    ],
    columns,
    { selected, spoken: `${selected ? "current, " : ""}${keysOf(line)}: ${line.id}. ${line.description}` }
  )
}

/** The effect of the chosen action, and why it cannot be done now. */
const explained = (action: Action | undefined, state: State, columns: number): ReadonlyArray<Row> => {
  if (action === undefined)
    return paragraph("no action of this screen has these words or this key", columns - 2, "dim").map(inset(1))
  return explanation(action, "", { ...state, overlay: undefined }, columns)
}

/** Rows of what the chosen action does: as many for every action, so that the list does not jump. */
const explainedRows = (columns: number, height: number): number => (height < 16 || columns >= 110 ? 2 : 3)

/** Cells that the search takes at most. */
const searchColumns = 20

const columnsOf = (columns: number): number => (columns < 76 ? 1 : 2)

/** All actions of the screen below in grouped columns, searchable; enter runs the chosen one. */
export const helpView = (state: State, overlay: Help, { columns, height }: Area): ReadonlyArray<Row> => {
  const groups = groupsFound(state, overlay)
  const chosen = Array.from(groups.values()).flat()[overlay.cursor]
  const lines = linesOf(groups)
  const place = placeOf({ ...state, overlay: undefined })
  const label = ` Keys of this screen (${place.toLowerCase()})  search: `
  const field = fieldSpans(overlay.search, Math.min(searchColumns, columns - width(label)), { focused: true })
  const foot = explainedRows(columns, height)
  const steps = place === "Events" && columns >= 110 && height >= 24 ? [`Steps: ${legend}`] : []
  const room = Math.max(1, height - 3 - foot - steps.length)
  const { bar, line } = state.settings.glyphs
  const [left, right] = columnsOf(columns) === 1 ? [lines, []] : inTwo(lines)
  const at = chosen === undefined ? 0 : Math.max(left.indexOf(chosen), right.indexOf(chosen))
  const top = Math.max(0, Math.min(at - Math.floor(room / 2), Math.max(left.length, right.length) - room))
  const leftColumns = columnsOf(columns) === 1 ? columns : Math.floor((columns - 1) / 2)
  const rightColumns = columns - 1 - leftColumns
  const rowsOf = (some: ReadonlyArray<Line>, wide: number) =>
    block(
      some.slice(top, top + room).map((one) => lineRow(one, chosen, state, wide)),
      room,
      wide
    )
  const isHidden = (one: Line, index: number) => typeof one !== "string" && (index < top || index >= top + room)
  const hidden = [left, right].reduce((count, some) => count + some.filter(isHidden).length, 0)
  return [
    row([span(label, "title"), ...field], columns),
    rule(columns, line),
    ...(columnsOf(columns) === 1
      ? rowsOf(left, columns)
      : sideBySide(
          rowsOf(left, leftColumns),
          leftColumns,
          span(bar, "dim"),
          rowsOf(right, rightColumns),
          rightColumns
        )),
    ...steps.map((words) => row([span(` ${words}`, "dim")], columns)),
    hidden === 0 ? rule(columns, line) : rule(columns, line, `${hidden} more, down shows them`),
    ...block(explained(chosen, state, columns), foot, columns)
  ]
}
