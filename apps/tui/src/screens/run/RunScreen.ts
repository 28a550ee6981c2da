import type { Cursor } from "../Cursor.ts"

/** The run of a file. The run itself is in the state: it continues while other screens are on top. */
export interface RunScreen {
  readonly _tag: "Run"
  readonly id: number
  readonly cursor: Cursor
}
