import { fit, truncate, width } from "@signalbox/operator/text/Width"
import { counted } from "@signalbox/operator/text/Counted"
import { cleanLine } from "@signalbox/operator/outlet/Outlet"
import { safe, type SafeText } from "@signalbox/operator/text/Safe"
import type { Area } from "./Area.ts"

/**
 * The meaning of a piece of text; a theme decides its look. Meaning is never in the colour alone: the text has it too.
 */
export type Tone =
  | "plain"
  | "dim"
  | "strong"
  | "title"
  | "accent"
  | "key"
  | "ok"
  | "failed"
  | "warning"
  | "waiting"
  | "demo"
  | "live"
  | "notice"
  | "field"
  | "cursor"
  | "match"

/** A run of text in one tone. {@link span} and {@link cell} make it, and clean what they are given. */
export interface Span {
  readonly text: SafeText
  readonly tone: Tone
}

/** One line of the screen. */
export interface Row {
  readonly spans: ReadonlyArray<Span>
  /** Drawn on the theme's selection background over the whole row. */
  readonly selected?: boolean
  /** The screen reader's text; `""` leaves the row out (rules, empty lines). */
  readonly spoken?: SafeText
  /** Whether it is one of a list: a screen reader says the list once, later only the row under the cursor. */
  readonly listed?: boolean
  /** The place of its item in the list of the screen, which a click selects; absent where it is part of no list. */
  readonly item?: number
  /** The rows that are side by side in this one. */
  readonly parts?: ReadonlyArray<Row>
}

/** The properties of a row besides its text. */
interface RowOptions {
  readonly selected?: boolean
  readonly spoken?: string
  readonly listed?: boolean
}

/** The row of an item of the list of the screen. */
export const asItem = (line: Row, item: number): Row => ({ ...line, item })

/** The item that a row has at a column. */
export const itemAt = (line: Row, column: number): number | undefined => {
  if (line.item !== undefined || line.parts === undefined) return line.item
  let from = 0
  for (const part of line.parts) {
    const to = from + spansWidth(part.spans)
    if (column < to) return column < from ? undefined : itemAt(part, column - from)
    from = to + 1
  }
  return undefined
}

/** A run of text without secrets, made safe to draw wherever it came from; tone `plain` when not given. */
export const span = (text: string, tone: Tone = "plain"): Span => ({ text: cleanLine(text), tone })

/** Text that the user typed, or asked to see for a while: the screen hides its secrets itself. */
export const unredactedSpan = (text: string, tone: Tone = "plain"): Span => ({ text: safe(text), tone })

/** The cells that the spans take. */
export const spansWidth = (spans: ReadonlyArray<Span>): number =>
  spans.reduce((total, { text }) => total + width(text), 0)

/** The spans in exactly `columns` cells: cut with an ellipsis or filled with spaces. */
export const fitSpans = (spans: ReadonlyArray<Span>, columns: number): ReadonlyArray<Span> => {
  const fitted: Array<Span> = []
  let left = columns
  for (const [index, { text, tone }] of spans.entries()) {
    const cells = width(text)
    const goesOn = index < spans.length - 1 && spans.slice(index + 1).some((later) => later.text !== "")
    if (cells < left || (cells === left && !goesOn)) {
      fitted.push({ text, tone })
      left -= cells
    } else {
      const cut = truncate(goesOn && cells === left ? `${text}  ` : text, left)
      fitted.push(unredactedSpan(cut, tone))
      left -= width(cut)
      break
    }
  }
  if (left > 0) fitted.push(span(" ".repeat(left)))
  return fitted
}

/** A row of exactly `columns` cells. */
export const row = (spans: ReadonlyArray<Span>, columns: number, { spoken, ...options }: RowOptions = {}): Row => ({
  spans: fitSpans(spans, columns),
  ...options,
  ...(spoken === undefined ? {} : { spoken: cleanLine(spoken) })
})

/** With fewer cells than this, nothing is left of a string that is cut. */
const leastCut = 6

/** A row with text at both ends; the left end shrinks, and keeps a cell between them where it is cut. */
export const ends = (left: ReadonlyArray<Span>, right: ReadonlyArray<Span>, columns: number): Row => {
  const rightWidth = Math.min(columns, spansWidth(right))
  const leftWidth = columns - rightWidth
  const isCut = rightWidth > 0 && leftWidth > 1 && spansWidth(left) > leftWidth
  const kept = isCut && leftWidth < leastCut ? [] : left
  return {
    spans: [
      ...fitSpans(kept, isCut ? leftWidth - 1 : leftWidth),
      ...(isCut ? [span(" ")] : []),
      ...fitSpans(right, rightWidth)
    ]
  }
}

/** The first text for each end that leaves a cell between them; where none does, the left end is cut. */
export const endsThatFit = (
  lefts: ReadonlyArray<ReadonlyArray<Span>>,
  rights: ReadonlyArray<ReadonlyArray<Span>>,
  columns: number
): Row => {
  for (const left of lefts) {
    const right = rights.find((wording) => spansWidth(left) + spansWidth(wording) < columns)
    if (right !== undefined) return ends(left, right, columns)
  }
  return ends(lefts.at(-1) ?? [], rights.at(-1) ?? [], columns)
}

/** An empty row, silent for a screen reader. */
export const blank = (columns: number): Row => ({ spans: [span(" ".repeat(columns))], spoken: cleanLine("") })

/** A horizontal rule, with a title set into it when given. */
export const rule = (columns: number, line: string, title?: string): Row => {
  if (title === undefined) return { spans: [span(line.repeat(columns), "dim")], spoken: cleanLine("") }
  const cut = truncate(cleanLine(title), Math.max(0, columns - 4))
  const behind = Math.max(0, columns - 4 - width(cut))
  return {
    spans: [span(`${line} `, "dim"), span(cut, "title"), span(` ${line.repeat(behind + 1)}`, "dim")],
    spoken: cleanLine(title)
  }
}

/** A horizontal rule with a title in it and words at its right end. */
export const ruleBetween = (title: string, end: Span, columns: number, line: string): Row => {
  const endColumns = width(end.text) + 3
  const cut = truncate(cleanLine(title), Math.max(0, columns - endColumns - 4))
  const between = Math.max(0, columns - 3 - width(cut) - endColumns)
  return {
    spans: [
      span(`${line} `, "dim"),
      span(cut, "title"),
      span(` ${line.repeat(between)} `, "dim"),
      end,
      span(` ${line}`, "dim")
    ],
    spoken: cleanLine(`${title}: ${end.text}`)
  }
}

const rest = (lines: number, key: string | undefined): string =>
  `… ${counted(lines, "more line")}${key === undefined ? "" : `, ${key} shows all`}`

/** A rule above rows that may not all fit. If some do not, it shows how many, and the key that shows them. */
export const ruleOver = (
  rows: ReadonlyArray<Row>,
  { columns, height }: Area,
  line: string,
  key: string | undefined
): Row => (rows.length <= height ? rule(columns, line) : rule(columns, line, rest(rows.length - height, key)))

/** Text in exactly `columns` cells. */
export const cell = (text: string, columns: number, tone: Tone = "plain"): Span =>
  span(fit(cleanLine(text), columns), tone)

/** One text column of a table: exactly `columns` cells, the last of which parts it from the next. */
export const column = (text: string, columns: number, tone: Tone = "plain"): Span =>
  span(`${fit(cleanLine(text), columns - 1)} `, tone)

/** The row with one empty cell before it and, with `right`, one after it. */
export const inset =
  (right: 0 | 1) =>
  (line: Row): Row => ({
    ...line,
    spans: right === 1 ? [span(" "), ...line.spans, span(" ")] : [span(" "), ...line.spans]
  })

/** The text of a row without its tones. */
export const plain = (line: Row): string => line.spans.map(({ text }) => text).join("")

/** The screen reader's text for a row, its parts one after another. */
export const spokenText = (line: Row): SafeText =>
  line.parts === undefined
    ? (line.spoken ?? safe(plain(line).trim()))
    : safe(
        line.parts
          .map(spokenText)
          .filter((part) => part !== "")
          .join(". ")
      )

/** Where a rule meets a separator. */
const joints: ReadonlyMap<string, readonly [left: string, right: string, both: string]> = new Map([
  ["│", ["┤", "├", "┼"]],
  ["|", ["+", "+", "+"]]
])

const isRuleAt = (part: Span | undefined, side: "end" | "start"): boolean => {
  const cell = side === "end" ? part?.text.at(-1) : part?.text[0]
  return part?.tone === "dim" && (cell === "─" || cell === "-")
}

/** Whether a row is a rule from side to side. */
export const isRule = ({ spans }: Row): boolean => isRuleAt(spans[0], "start") && isRuleAt(spans.at(-1), "end")

/** The separator between two rows, joined to the rules that meet it. */
const jointOf = (a: Row, b: Row, separator: Span): Span => {
  const signs = joints.get(separator.text)
  const left = isRuleAt(a.spans.at(-1), "end")
  const right = isRuleAt(b.spans[0], "start")
  if (signs === undefined || (!left && !right)) return separator
  return span(left && right ? signs[2] : left ? signs[0] : signs[1], separator.tone)
}

/** Two blocks of rows side by side with a separator; the shorter one is filled with empty rows. */
export const sideBySide = (
  left: ReadonlyArray<Row>,
  leftColumns: number,
  separator: Span,
  right: ReadonlyArray<Row>,
  rightColumns: number
): ReadonlyArray<Row> =>
  Array.from({ length: Math.max(left.length, right.length) }, (_, index) => {
    const a = left[index] ?? blank(leftColumns)
    const b = right[index] ?? blank(rightColumns)
    return {
      spans: [
        ...(a.selected === true ? a.spans.map(select) : a.spans),
        jointOf(a, b, separator),
        ...(b.selected === true ? b.spans.map(select) : b.spans)
      ],
      parts: [a, b]
    }
  })

/** Marks one span as part of a selection that does not cover the whole row. */
export interface SelectedSpan extends Span {
  readonly selected: true
}

const select = (part: Span): SelectedSpan => ({ ...part, selected: true })

/** Whether the span belongs to a selected part of its row. */
export const isSelected = (part: Span): part is SelectedSpan => "selected" in part

/** Exactly `height` rows: cut, or filled with empty ones. */
export const block = (rows: ReadonlyArray<Row>, height: number, columns: number): ReadonlyArray<Row> =>
  rows.length >= height
    ? rows.slice(0, height)
    : [...rows, ...Array.from({ length: height - rows.length }, () => blank(columns))]

/** With fewer rows than this, none is used to show that there are more. */
const leastRowsWithRest = 3

/** Exactly `height` rows of facts. A sentence that does not fit ends in an ellipsis. */
export const cutShort = (rows: ReadonlyArray<Row>, { columns, height }: Area): ReadonlyArray<Row> => {
  const last = rows[height - 1]
  const next = rows[height]
  // Only the first row of a fact has a label.
  if (last === undefined || next === undefined || !plain(next).startsWith("  ")) return block(rows, height, columns)
  const end = last.spans.findLastIndex(({ text }) => text.trim() !== "")
  const { text = "", tone = "plain" } = last.spans[end] ?? {}
  return [...rows.slice(0, height - 1), row([...last.spans.slice(0, end), span(`${text.trimEnd()}…`, tone)], columns)]
}

/** Whether a row only leads to those below it: a heading, or empty. */
const isLead = (line: Row): boolean =>
  isRule(line) || line.spans.every(({ text, tone }) => tone === "title" || text.trim() === "")

/**
 * Returns exactly `height` rows, from the first. If there are more, the last row shows how many are hidden, and the key that
 * shows them all; no heading stays without a row below it.
 */
export const clipped = (
  rows: ReadonlyArray<Row>,
  { columns, height }: Area,
  key: string | undefined
): ReadonlyArray<Row> => {
  if (rows.length <= height || height < leastRowsWithRest) return block(rows, height, columns)
  const shown = rows.slice(0, 1 + rows.slice(0, height - 1).findLastIndex((line) => !isLead(line)))
  const more = row([span(` ${rest(rows.length - shown.length, key)}`, "dim")], columns)
  return block([...shown, more], height, columns)
}
