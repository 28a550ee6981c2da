import { asItem, row, type Row, type Span, span } from "./Row.ts"

/** The part of a list that is seen, and how it is drawn. */
interface ListWindow {
  /** The item under the cursor, and the first one that is seen. */
  readonly cursor: { readonly at: number; readonly top: number }
  readonly height: number
  readonly columns: number
  /** The sign of the row under the cursor. */
  readonly sign: string
  /** Whether a screen reader says the list once, and later only the row under the cursor. */
  readonly listed?: boolean
}

/** The cells of an item after the sign of the cursor, and its words for a screen reader; a row instead of an item. */
type Drawn = Row | { readonly cells: ReadonlyArray<Span>; readonly words: string }

/** The rows of a list that are seen: each has its item, so that a click selects it. */
export const listRowsOf = <Item>(
  items: ReadonlyArray<Item>,
  { columns, cursor, height, listed = true, sign }: ListWindow,
  draw: (item: Item, at: number, isCurrent: boolean) => Drawn
): ReadonlyArray<Row> =>
  items.slice(cursor.top, cursor.top + height).map((item, index) => {
    const at = cursor.top + index
    const isCurrent = at === cursor.at
    const drawn = draw(item, at, isCurrent)
    if ("spans" in drawn) return asItem(drawn, at)
    const spoken = `${isCurrent ? "current, " : ""}${drawn.words}`
    const cells = [span(isCurrent ? sign : " ", "accent"), ...drawn.cells]
    return asItem(row(cells, columns, { selected: isCurrent, listed, spoken }), at)
  })
