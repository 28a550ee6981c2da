/**
 * Records as a table on a terminal: columns fitted to its width, colours by meaning.
 */
import { safe } from "@signalbox/operator/text/Safe"
import { pad, truncate, width } from "@signalbox/operator/text/Width"
import { coloured, type NamedField, type TerminalStyle, textOf, type Tone } from "./Listing.ts"

const gap = 2

/** No column shrinks below this, however narrow the terminal is. */
const leastWidth = 6

const cellOf = <Row>({ cell, value }: NamedField<Row>, row: Row): string =>
  safe(cell === undefined ? textOf(value(row)) : cell(row))

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

/** Widths that fit the terminal; long columns shrink before short ones. */
const fit = (natural: ReadonlyArray<number>, isShort: ReadonlyArray<boolean>, columns: number) => {
  const widths = [...natural]
  const all = widths.map((_, at) => at)
  const excess = widths.reduce((sum, cells) => sum + cells, gap * (widths.length - 1)) - columns
  const left = shrink(
    widths,
    all.filter((at) => isShort[at] !== true),
    excess
  )
  shrink(widths, all, left)
  return widths
}

/** Formats batches of records; the first batch decides the widths of the columns. */
export const makeTable = <Row>(
  fields: ReadonlyArray<NamedField<Row>>,
  style: TerminalStyle
): ((rows: ReadonlyArray<Row>) => string) => {
  let widths: ReadonlyArray<number> | undefined
  const line = (cells: ReadonlyArray<string>, tones: ReadonlyArray<Tone | "heading" | undefined>) =>
    `${cells
      .map((text, at) => {
        const cut = truncate(safe(text), widths?.[at] ?? 0)
        const isLast = at === cells.length - 1
        return coloured(isLast ? cut : pad(cut, widths?.[at] ?? 0), tones[at], style)
      })
      .join(" ".repeat(gap))
      .trimEnd()}\n`
  return (rows) => {
    if (rows.length === 0) return ""
    const cells = rows.map((row) => fields.map((field) => cellOf(field, row)))
    const isFirst = widths === undefined
    widths ??= fit(
      fields.map((field, at) => Math.max(width(titleOf(field)), ...cells.map((row) => width(row[at] ?? "")))),
      fields.map(({ isShort = false }) => isShort),
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
