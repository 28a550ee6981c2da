import { type Paint, painter } from "../theme/Theme.ts"
import { remembered } from "../state/Remembered.ts"
import type { State } from "../state/State.ts"
import type { Row } from "../view/Row.ts"
import { render } from "./View.ts"

/** Rows at the end of the terminal that stay empty: Ink clears the whole screen on every frame that fills a Windows console. */
export const unusedRows = process.platform === "win32" ? 1 : 0

const painters = new Map<string, Paint>()

/** A painter that paints a row once: most rows of a frame are those of the frame before. */
const painterFor = ({ depth, theme }: State["settings"]): Paint => {
  const name = `${theme} ${depth}`
  let paint = painters.get(name)
  if (paint === undefined) {
    const anew = painter(theme, depth)
    paint = remembered((row) => anew(row).trimEnd())
    painters.set(name, paint)
  }
  return paint
}

/** The text of a frame with its colours, a line for each row. */
export const frameOf = (state: State, rows: ReadonlyArray<Row> = render(state)): string => {
  const paint = painterFor(state.settings)
  return rows.map((row) => paint(row)).join("\n")
}
