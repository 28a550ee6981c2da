import type { Cursor } from "./Cursor.ts"

/** A list in which items can be marked, one by one, as a range, or all. */
export interface Marking {
  readonly cursor: Cursor
  /** Marked items, by what tells one item from another. */
  readonly marked: ReadonlySet<string>
  /** Where a range began; `undefined` when none is being made. */
  readonly anchor: number | undefined
}

const range = ({ anchor, cursor }: Marking): readonly [number, number] =>
  anchor === undefined ? [cursor.at, cursor.at] : [Math.min(anchor, cursor.at), Math.max(anchor, cursor.at)]

/** Whether the item is in the range that is being made. */
export const isInRange = (list: Marking, at: number): boolean => {
  const [from, to] = range(list)
  return list.anchor !== undefined && at >= from && at <= to
}

/** Marks the range, or marks or unmarks the item under the cursor and goes on to the next. `items` is the whole list. */
export const toggleMarked = <List extends Marking>(list: List, items: ReadonlyArray<string>): List => {
  if (items.length === 0) return list
  const [from, to] = range(list)
  const chosen = items.slice(from, to + 1)
  const marked = new Set(list.marked)
  const take = list.anchor === undefined && chosen.every((item) => marked.has(item))
  for (const item of chosen) {
    if (take) marked.delete(item)
    else marked.add(item)
  }
  const cursor = list.anchor === undefined ? { ...list.cursor, at: list.cursor.at + 1 } : list.cursor
  return { ...list, marked, anchor: undefined, cursor }
}

/** Marks every item of the list, or none when all are marked. */
export const toggleAllMarked = <List extends Marking>(list: List, items: ReadonlyArray<string>): List => {
  const all = items.every((item) => list.marked.has(item))
  return { ...list, marked: all ? new Set() : new Set(items), anchor: undefined }
}

/** Begins a range at the cursor, or gives it up. */
export const toggleRange = <List extends Marking>(list: List): List => ({
  ...list,
  anchor: list.anchor === undefined ? list.cursor.at : undefined
})
