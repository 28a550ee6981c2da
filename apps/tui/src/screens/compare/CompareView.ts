import type { ActivityNotification } from "@signalbox/core/Records"
import { keyFor } from "../../actions/Action.ts"
import { eventResult } from "@signalbox/operator/status/Status"
import { counted } from "@signalbox/operator/text/Counted"
import { cleanLine } from "@signalbox/operator/outlet/Outlet"
import { width } from "@signalbox/operator/text/Width"
import type { State } from "../../state/State.ts"
import type { Area } from "../../view/Area.ts"
import { paragraph } from "../../view/Fact.ts"
import { signOf, toneOf } from "../../view/Result.ts"
import { cell, column, inset, row, type Row, rule, span } from "../../view/Row.ts"
import type { Compared } from "./Comparison.ts"
import type { CompareScreen } from "./CompareScreen.ts"
import { zoneOf } from "../../view/Times.ts"
import { listRowsOf } from "../../view/ListRows.ts"

/** Rows above the facts: how many differ, and which events are compared. */
const compareHead = 2

interface Widths {
  readonly label: number
  readonly side: number
}

/** Labels get what they need, at most a third: a longer value shows more of what differs. */
const widthsFor = (facts: ReadonlyArray<Compared>, columns: number): Widths => {
  const longest = 1 + Math.max(0, ...facts.map((fact) => width(cleanLine(fact.label))))
  const label = Math.max(16, Math.min(longest, 40, Math.floor(columns / 3)))
  return { label, side: Math.floor((columns - label - 4) / 2) }
}

const titleOf = (event: ActivityNotification, state: State, columns: number) => {
  const result = eventResult(event)
  return column(
    `${signOf(result.kind, state.settings.glyphs)} ${result.word} ${zoneOf(state).moment(event.createdAt, state.now)}`,
    columns,
    toneOf(result.kind)
  )
}

const factRow = (fact: Compared, state: State, { label, side }: Widths, columns: number) => {
  const { glyphs } = state.settings
  if (fact.left === undefined || fact.right === undefined) return rule(columns, glyphs.line, fact.label)
  const tone = fact.differs ? "strong" : "dim"
  return {
    cells: [
      span(fact.differs ? `${glyphs.warning} ` : "  ", "warning"),
      column(fact.label, label, fact.differs ? "plain" : "dim"),
      column(fact.left, side, tone),
      cell(fact.right, columns - 3 - label - side, fact.differs ? "notice" : "dim")
    ],
    words: `${fact.label}: ${fact.differs ? `${fact.left} differs from ${fact.right}` : `${fact.left} in both`}`
  }
}

/** Both values of a fact in full, as far as three rows show them. */
const wholeValues = (fact: Compared | undefined, state: State, columns: number): ReadonlyArray<Row> =>
  fact?.left === undefined || fact.right === undefined
    ? []
    : [
        rule(columns, state.settings.glyphs.line, fact.label),
        ...paragraph(fact.left, columns - 2, "strong")
          .slice(0, 3)
          .map(inset(1)),
        ...paragraph(fact.right, columns - 2, "notice")
          .slice(0, 3)
          .map(inset(1))
      ]

const footRows = new WeakMap<ReadonlyArray<Compared>, { readonly columns: number; readonly rows: number }>()

/** Rows of the two values under the cursor in full, with a rule: as many as the longest of them needs. */
export const compareFoot = (lines: ReadonlyArray<Compared>, { columns, height }: Area): number => {
  if (height < 20) return 0
  const known = footRows.get(lines)
  if (known?.columns === columns) return known.rows
  // Words are wrapped, so that lines are not full.
  const rowsOf = (value = "") =>
    Math.max(1, Math.min(3, Math.ceil(width(cleanLine(value)) / Math.max(1, columns - 12))))
  const rows = 1 + Math.max(2, ...lines.map(({ left, right }) => rowsOf(left) + rowsOf(right)))
  footRows.set(lines, { columns, rows })
  return rows
}

/** Two events side by side, one fact a row; differences stand out. */
export const compareView = (state: State, screen: CompareScreen, { columns, height }: Area): ReadonlyArray<Row> => {
  const { cursor, lines } = screen
  const widths = widthsFor(screen.lines, columns)
  const differences = screen.lines.filter(({ differs }) => differs).length
  const next = `${keyFor(state, "next difference")} goes to the next`
  const foot = compareFoot(screen.lines, { columns, height })
  const room = height - compareHead - foot
  const seen = { cursor, height: room, columns, sign: state.settings.glyphs.cursor, listed: false }
  const facts = listRowsOf(lines, seen, (fact) => factRow(fact, state, widths, columns))
  return [
    row(
      [span(differences === 0 ? " no difference" : ` ${counted(differences, "difference")}; ${next}`, "dim")],
      columns
    ),
    row(
      [
        span("   "),
        column("", widths.label),
        titleOf(screen.left, state, widths.side),
        titleOf(screen.right, state, widths.side)
      ],
      columns
    ),
    ...facts,
    ...wholeValues(lines[cursor.at], state, columns)
  ].slice(0, height)
}
