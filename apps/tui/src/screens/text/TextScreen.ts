import { cleanLines } from "@signalbox/operator/outlet/Outlet"
import { width } from "@signalbox/operator/text/Width"
import { cellsOf } from "./LineWindow.ts"
import { start, type Cursor } from "../Cursor.ts"
import { oncePer } from "@signalbox/operator/reading/OncePer"

/** The number of characters shown at first: a search or the pager shows the rest. */
const shown = 200_000

/** The start of the last line if more follows. */
const cutSign = "... "

/** A long string: a payload, a raw response, an event as JSON. */
export interface TextScreen {
  readonly _tag: "Text"
  readonly id: number
  readonly title: string
  /** The whole text, for the pager, copying and saving. */
  readonly text: string
  readonly lines: ReadonlyArray<string>
  readonly left: number
  readonly search: string
  readonly cursor: Cursor
}

/** Creates the screen of a string. A very long string is truncated for display only. */
export const make = (id: number, title: string, text: string): TextScreen => {
  const rest = text.length - shown
  const lines = cleanLines(rest > 0 ? text.slice(0, shown) : text)
  return {
    _tag: "Text",
    id,
    title,
    text,
    lines:
      rest > 0 ? [...lines, `${cutSign}${rest} more characters: searching, saving and the pager include them`] : lines,
    left: 0,
    search: "",
    cursor: start
  }
}

/** The screen with a search. A match beyond the visible part makes all of the text visible. */
export const withSearch = (screen: TextScreen, search: string): TextScreen => {
  const wanted = search.toLowerCase()
  const goesOn = screen.text.length > shown && screen.lines.at(-1)?.startsWith(cutSign) === true
  return goesOn && wanted !== "" && screen.text.toLowerCase().includes(wanted, shown - wanted.length)
    ? { ...screen, search, lines: cleanLines(screen.text) }
    : { ...screen, search }
}

/** Cells of the line numbers. */
export const gutterOf = ({ lines }: TextScreen): number => String(lines.length).length + 2

/** Cells of the longest line; measured when it is first asked for. */
const longestOf = oncePer((lines: ReadonlyArray<string>) =>
  lines.reduce((widest, line) => Math.max(widest, cellsOf(line)), 0)
)

/** Scrolls sideways by `cells` in a window of `columns`, until the longest line ends at the right edge. */
export const scrolled = (screen: TextScreen, cells: number, columns: number): TextScreen => {
  const maxLeft = Math.max(0, longestOf(screen.lines) + gutterOf(screen) - columns)
  return { ...screen, left: Math.max(0, Math.min(maxLeft, screen.left + cells)) }
}

/** The screen scrolled sideways where the searched text in the line under the cursor is outside of the window. */
export const withMatchInView = (screen: TextScreen, columns: number): TextScreen => {
  const line = screen.lines[screen.cursor.at] ?? ""
  const at = screen.search === "" ? -1 : line.toLowerCase().indexOf(screen.search.toLowerCase())
  if (at === -1) return screen
  const window = columns - gutterOf(screen)
  const from = width(line.slice(0, at))
  const to = from + width(line.slice(at, at + screen.search.length))
  return from >= screen.left && to < screen.left + window
    ? screen
    : scrolled({ ...screen, left: 0 }, to < window ? 0 : from - Math.floor(window / 3), columns)
}

/** A value as JSON text; a string that contains JSON is shown parsed. */
export const jsonText = (value: unknown): string => {
  if (typeof value !== "string") return JSON.stringify(value, null, 2) ?? "undefined"
  try {
    return JSON.stringify(JSON.parse(value), null, 2)
  } catch {
    return value
  }
}

/** The next line that contains the search text, in the direction, going round. */
export const findLine = (screen: TextScreen, step: 1 | -1): number | undefined => {
  const wanted = screen.search.toLowerCase()
  if (wanted === "") return undefined
  const { length } = screen.lines
  for (let distance = 1; distance <= length; distance += 1) {
    const at = (screen.cursor.at + step * distance + length * distance) % length
    if (screen.lines[at]?.toLowerCase().includes(wanted) === true) return at
  }
  return undefined
}
