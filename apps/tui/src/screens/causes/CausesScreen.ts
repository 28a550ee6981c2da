import { type Cursor, start } from "../Cursor.ts"

/** The orders of the causes, in the order in which a key goes through them. */
export const causeOrders = ["count", "last", "first", "subscribers", "number"] as const

/** Order of the causes. */
export type CauseOrder = (typeof causeOrders)[number]

/** All causes of the failures of a list. */
export interface CausesScreen {
  readonly _tag: "Causes"
  readonly id: number
  readonly order: CauseOrder
  readonly cursor: Cursor
}

/** The causes by count, with the cursor on the most frequent one. */
export const make = (id: number): CausesScreen => ({ _tag: "Causes", id, order: "count", cursor: start })
