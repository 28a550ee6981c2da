import { type Part, seen } from "./LineWindow.ts"
import type { Area } from "../../view/Area.ts"
import { asItem, block, row, type Row, type Span, span } from "../../view/Row.ts"
import { gutterOf, type TextScreen } from "./TextScreen.ts"

/** A part of a line in which what is searched for stands out, also where an edge of the part goes through it. */
const highlighted = (line: string, { from, to }: Part, wanted: string): ReadonlyArray<Span> => {
  if (wanted === "") return [span(line.slice(from, to))]
  const start = Math.max(0, from - wanted.length + 1)
  const around = line.slice(start, to + wanted.length - 1).toLowerCase()
  const needle = wanted.toLowerCase()
  const spans: Array<Span> = []
  let drawn = from
  for (let at = around.indexOf(needle); at !== -1; at = around.indexOf(needle, at + needle.length)) {
    const begin = Math.max(drawn, start + at)
    const end = Math.min(to, start + at + needle.length)
    if (end <= begin) continue
    spans.push(span(line.slice(drawn, begin)), span(line.slice(begin, end), "match"))
    drawn = end
  }
  return [...spans, span(line.slice(drawn, to))]
}

/** A long text, one line a row; the cursor line is marked, matches stand out. */
export const textView = (screen: TextScreen, { columns, height }: Area): ReadonlyArray<Row> => {
  const { top, at } = screen.cursor
  const digits = gutterOf(screen) - 2
  const rows = screen.lines.slice(top, top + height).map((line, index) =>
    asItem(
      row(
        [
          span(` ${String(top + index + 1).padStart(digits)} `, "dim"),
          // One cell more than there is: a row whose line continues is cut with a sign.
          ...highlighted(line, seen(line, screen.left, columns + 1), screen.search)
        ],
        columns,
        { selected: top + index === at && line !== "", spoken: `${top + index === at ? "current, " : ""}${line}` }
      ),
      top + index
    )
  )
  return block(rows, height, columns)
}
