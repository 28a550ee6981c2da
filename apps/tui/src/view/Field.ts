import type { TextField } from "../keyboard/TextField.ts"
import { safe } from "@signalbox/operator/text/Safe"
import { width } from "@signalbox/operator/text/Width"
import { type Span, unredactedSpan } from "./Row.ts"

/** How a field is drawn. */
export interface FieldLook {
  readonly focused: boolean
  /** Shows only the end of what is typed. */
  readonly secret?: boolean
}

const ellipsis = "…"

/** The longest beginning of the cells that fits; the sign at its end says that there is more. */
const prefix = (cells: ReadonlyArray<string>, columns: number): string => {
  const whole = cells.join("")
  if (width(whole) <= columns) return whole
  let text = ""
  for (const cell of cells) {
    if (width(text + cell) > columns - 1) break
    text += cell
  }
  return columns <= 0 ? "" : text + ellipsis
}

/** The longest end of the cells that fits; the sign before it says that there is more. */
const end = (cells: ReadonlyArray<string>, columns: number): string => {
  const whole = cells.join("")
  if (width(whole) <= columns) return whole
  let text = ""
  for (const cell of cells.toReversed()) {
    if (width(cell + text) > columns - 1) break
    text = cell + text
  }
  return ellipsis + text
}

/** A field in exactly `columns` cells; the text around the cursor is in view, and the cursor is one inverted cell. */
export const fieldSpans = (
  field: TextField,
  columns: number,
  { focused, secret = false }: FieldLook
): ReadonlyArray<Span> => {
  const typed = field.graphemes.map((grapheme) => safe(grapheme))
  const cells = secret
    ? typed.map((grapheme, at) => (at < typed.length - 4 || typed.length <= 8 ? "*" : grapheme))
    : typed
  const under = cells[field.cursor] ?? " "
  const behind = cells.slice(field.cursor + 1)
  // One cell stays free behind the cursor where text continues there: for the sign at least.
  const before = end(cells.slice(0, field.cursor), columns - width(under) - (behind.length === 0 ? 0 : 1))
  const room = columns - width(before) - width(under)
  const after = prefix(behind, room)
  const fill = " ".repeat(Math.max(0, room - width(after)))
  return focused
    ? [unredactedSpan(before, "field"), unredactedSpan(under, "cursor"), unredactedSpan(after + fill, "field")]
    : [unredactedSpan(before + under + after + fill, "field")]
}
