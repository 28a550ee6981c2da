import type { RequestRecord } from "../../state/Requests.ts"
import { type Cursor, start } from "../Cursor.ts"

/** The log of requests. */
export interface RequestsScreen {
  readonly _tag: "Requests"
  readonly id: number
  readonly cursor: Cursor
}

/** The log with the cursor on the latest request. */
export const make = (id: number): RequestsScreen => ({ _tag: "Requests", id, cursor: start })

/** The requests in the order of the screen: the latest first. */
export const requestsOf = (state: { readonly requests: ReadonlyArray<RequestRecord> }): ReadonlyArray<RequestRecord> =>
  state.requests.toReversed()
