import type { Cursor } from "./Cursor.ts"

/** A list in which items can be selected, one by one, as a range, or all. */
export interface Selection {
  readonly cursor: Cursor
  /** Selected items, by their identities. */
  readonly selection: ReadonlySet<string>
  /** Start of a range; `undefined` without a range. */
  readonly anchor: number | undefined
}

const range = ({ anchor, cursor }: Selection): readonly [number, number] =>
  anchor === undefined ? [cursor.at, cursor.at] : [Math.min(anchor, cursor.at), Math.max(anchor, cursor.at)]

/** Whether the item is in the range that is being made. */
export const isInRange = (list: Selection, at: number): boolean => {
  const [from, to] = range(list)
  return list.anchor !== undefined && at >= from && at <= to
}

/** Selects the range, or selects or deselects the item under the cursor and moves to the next. `items` is the whole list. */
export const toggleSelected = <List extends Selection>(list: List, items: ReadonlyArray<string>): List => {
  if (items.length === 0) return list
  const [from, to] = range(list)
  const chosen = items.slice(from, to + 1)
  const selection = new Set(list.selection)
  const take = list.anchor === undefined && chosen.every((item) => selection.has(item))
  for (const item of chosen) {
    if (take) selection.delete(item)
    else selection.add(item)
  }
  const cursor = list.anchor === undefined ? { ...list.cursor, at: list.cursor.at + 1 } : list.cursor
  return { ...list, selection, anchor: undefined, cursor }
}

/** Selects every item of the list, or none when all are selected. */
export const toggleAllSelected = <List extends Selection>(list: List, items: ReadonlyArray<string>): List => {
  const all = items.every((item) => list.selection.has(item))
  return { ...list, selection: all ? new Set() : new Set(items), anchor: undefined }
}

/** Starts a range at the cursor, or cancels it. */
export const toggleRange = <List extends Selection>(list: List): List => ({
  ...list,
  anchor: list.anchor === undefined ? list.cursor.at : undefined
})
