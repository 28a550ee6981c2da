import type { Row } from "./Row.ts"
import { spokenText } from "./Row.ts"

/** What a screen reader would say of each row, without those that say nothing. */
export const spokenLines = (rows: ReadonlyArray<Row>): ReadonlyArray<string> =>
  rows.map(spokenText).filter((line) => line !== "")

/** What a line says of the cursor, which has moved on when the rest of the line is the same. */
const cursorWords = /^(?:current|editing), /u

/**
 * The lines that say something new since the frame before: a screen reader reads those, not the whole list again. A line
 * that the cursor has left says nothing new.
 */
export const changedLines = (before: ReadonlyArray<string>, lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const alreadySpoken = new Set(before.flatMap((line) => [line, line.replace(cursorWords, "")]))
  return lines.filter((line) => !alreadySpoken.has(line))
}
