import { truncate, width } from "../../text/Width.ts"
import type { Area } from "../../view/Area.ts"
import { block, row, type Row, type Span, span } from "../../view/Row.ts"
import type { TextScreen } from "./TextScreen.ts"

const highlighted = (line: string, wanted: string): ReadonlyArray<Span> => {
  if (wanted === "") return [span(line)]
  const lower = line.toLowerCase()
  const needle = wanted.toLowerCase()
  const spans: Array<Span> = []
  let from = 0
  for (let at = lower.indexOf(needle); at !== -1; at = lower.indexOf(needle, at + needle.length)) {
    spans.push(span(line.slice(from, at)), span(line.slice(at, at + needle.length), "match"))
    from = at + needle.length
  }
  return [...spans, span(line.slice(from))]
}

/** Cells of a line from the left edge of the window on. */
const from = (line: string, left: number): string => (left === 0 ? line : line.slice(truncate(line, left).length))

/** A long text, one line a row; the cursor line is marked, matches stand out. */
export const textView = (screen: TextScreen, { columns, height }: Area): ReadonlyArray<Row> => {
  const { top, at } = screen.cursor
  const digits = String(screen.lines.length).length
  const rows = screen.lines
    .slice(top, top + height)
    .map((line, index) =>
      row(
        [
          span(` ${String(top + index + 1).padStart(digits)} `, "dim"),
          ...highlighted(from(line, screen.left), screen.search)
        ],
        columns,
        { selected: top + index === at && width(line) > 0, spoken: line }
      )
    )
  return block(rows, height, columns)
}
