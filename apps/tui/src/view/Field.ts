import type { TextField } from "../keyboard/TextField.ts"
import { safe } from "../text/Safe.ts"
import { width } from "../text/Width.ts"
import { type Span, span } from "./Row.ts"

/** How a field is drawn. */
export interface FieldLook {
  readonly focused: boolean
  /** Shows only the end of what is typed. */
  readonly secret?: boolean
}

/** A field in exactly `columns` cells; what is around the cursor is in view, and the cursor is one inverted cell. */
export const fieldSpans = (
  field: TextField,
  columns: number,
  { focused, secret = false }: FieldLook
): ReadonlyArray<Span> => {
  const typed = field.graphemes.map((grapheme) => safe(grapheme))
  const cells = secret
    ? typed.map((grapheme, at) => (at < typed.length - 4 || typed.length <= 8 ? "*" : grapheme))
    : typed
  let from = 0
  let used = 0
  // Walk back from the cursor until the field is full; one cell stays free for the cursor itself.
  for (let at = field.cursor - 1; at >= 0; at -= 1) {
    used += width(cells[at] ?? "")
    if (used > columns - 2) {
      from = at + 1
      break
    }
  }
  const before = cells.slice(from, field.cursor).join("")
  const under = cells[field.cursor] ?? " "
  let left = columns - width(before) - width(under)
  let after = ""
  for (const grapheme of cells.slice(field.cursor + 1)) {
    const size = width(grapheme)
    if (size > left) break
    after += grapheme
    left -= size
  }
  const fill = " ".repeat(Math.max(0, left))
  return focused
    ? [span(before, "field"), span(under, "cursor"), span(after + fill, "field")]
    : [span(before + under + after + fill, "field")]
}
