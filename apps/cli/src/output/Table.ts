/**
 * Records as a table on a terminal: columns fitted to its width, colours by meaning.
 */
import { cleanLine } from "@signalbox/operator/outlet/Outlet"
import { safe } from "@signalbox/operator/text/Safe"
import { pad, truncate, width } from "@signalbox/operator/text/Width"
import { coloured, type NamedField, type TerminalStyle, textOf, type Tone } from "./Listing.ts"

const gap = 2

/** No column shrinks below this, however narrow the terminal is. */
const leastWidth = 6

const cellOf = <Row>({ cell, value }: NamedField<Row>, row: Row): string =>
  cleanLine(cell === undefined ? textOf(value(row)) : cell(row))

const titleOf = <Row>({ name, title = name }: NamedField<Row>): string => title.toUpperCase()

/** Removes cells from the widest of some columns until the excess is gone or each is at its least. */
const shrink = (widths: Array<number>, at: ReadonlyArray<number>, excess: number): number => {
  let left = excess
  while (left > 0) {
    const widest = Math.max(...at.map((column) => widths[column] ?? 0))
    if (widest <= leastWidth) break
    const column = at.find((one) => widths[one] === widest) ?? 0
    widths[column] = widest - 1
    left -= 1
  }
  return left
}

type Shape = Pick<NamedField<never>, "isName" | "isShort">

/** Widths that fit the terminal: names shrink before long columns, and these before short ones. */
const fit = (natural: ReadonlyArray<number>, shapes: ReadonlyArray<Shape>, columns: number) => {
  const widths = [...natural]
  const all = widths.map((_, at) => at)
  let excess = widths.reduce((sum, cells) => sum + cells, gap * (widths.length - 1)) - columns
  excess = shrink(
    widths,
    all.filter((at) => shapes[at]?.isName === true),
    excess
  )
  excess = shrink(
    widths,
    all.filter((at) => shapes[at]?.isShort !== true),
    excess
  )
  shrink(widths, all, excess)
  return widths
}

/** A long column with less room than this says nothing. */
const leastReadable = 20

/** The widths of the columns that are shown: long ones at the end that would be cut to nothing are left out. */
const shownWidths = (
  natural: ReadonlyArray<number>,
  shapes: ReadonlyArray<Shape>,
  columns: number,
  leavesOut: boolean
): ReadonlyArray<number> => {
  const widths = fit(natural, shapes, columns)
  const last = widths.length - 1
  const isUseless = (widths[last] ?? 0) < Math.min(leastReadable, natural[last] ?? 0)
  return leavesOut && last > 0 && shapes[last]?.isShort !== true && isUseless
    ? shownWidths(natural.slice(0, last), shapes, columns, leavesOut)
    : widths
}

/**
 * Formats batches of records. Columns become wider for later batches while the terminal has room. With `leavesOut`, long columns at the end that
 * have no room are left out.
 */
export const makeTable = <Row>(
  fields: ReadonlyArray<NamedField<Row>>,
  style: TerminalStyle,
  leavesOut = false
): ((rows: ReadonlyArray<Row>) => string) => {
  let widths: ReadonlyArray<number> | undefined
  const line = (cells: ReadonlyArray<string>, tones: ReadonlyArray<Tone | "heading" | undefined>) =>
    `${cells
      .slice(0, widths?.length)
      .map((text, at) => {
        const cut = Number.isFinite(style.columns) ? truncate(safe(text), widths?.[at] ?? 0) : safe(text)
        const isLast = at + 1 === widths?.length
        return coloured(isLast ? cut : pad(cut, widths?.[at] ?? 0), tones[at], style)
      })
      .join(" ".repeat(gap))
      .trimEnd()}\n`
  return (rows) => {
    if (rows.length === 0) return ""
    const cells = rows.map((row) => fields.map((field) => cellOf(field, row)))
    const natural = (at: number) => Math.max(...cells.map((row) => width(row[at] ?? "")))
    const isFirst = widths === undefined
    widths =
      widths === undefined
        ? shownWidths(
            fields.map((field, at) => Math.max(width(titleOf(field)), natural(at))),
            fields,
            style.columns,
            leavesOut
          )
        : fit(
            widths.map((before, at) => Math.max(before, natural(at))),
            fields,
            style.columns
          )
    const lines = rows.map((row, at) =>
      line(
        cells[at] ?? [],
        fields.map(({ tone }) => tone?.(row))
      )
    )
    const heading = line(
      fields.map(titleOf),
      fields.map(() => "heading")
    )
    return (isFirst ? [heading, ...lines] : lines).join("")
  }
}
