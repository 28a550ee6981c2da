import { type Paint, painter } from "../theme/Theme.ts"
import type { State } from "../state/State.ts"
import type { Row } from "../view/Row.ts"
import { render } from "./View.ts"

/** Rows at the end of the terminal that stay empty: Ink clears the whole screen on every frame that fills a Windows console. */
export const unusedRows = process.platform === "win32" ? 1 : 0

const painters = new Map<string, Paint>()

const painterFor = ({ depth, theme }: State["settings"]): Paint => {
  const name = `${theme} ${depth}`
  const paint = painters.get(name) ?? painter(theme, depth)
  painters.set(name, paint)
  return paint
}

/** The text of a frame with its colours, a line for each row. */
export const frameOf = (state: State, rows: ReadonlyArray<Row> = render(state)): string => {
  const paint = painterFor(state.settings)
  return rows.map((row) => paint(row).trimEnd()).join("\n")
}
