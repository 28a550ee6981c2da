import { putScreen, topScreen } from "../state/ScreenStack.ts"
import type { State } from "../state/State.ts"
import { type Cursor, settle } from "./Cursor.ts"
import { bodyHeight } from "./Layout.ts"
import { kindOf } from "./ScreenKinds.ts"

/** The list of the top screen, whatever its kind: how long it is, how much is seen, where the cursor is. */
export interface Listing {
  readonly length: number
  readonly height: number
  readonly cursor: Cursor
}

/** The list of the top screen; absent for the form. */
export const listing = (state: State): Listing | undefined => {
  const screen = topScreen(state)
  const { list } = kindOf(screen)
  if (list === undefined || !("cursor" in screen)) return undefined
  const area = { columns: state.size.columns, height: bodyHeight(state.size) }
  return { length: list.length(state, screen), height: list.height(screen, area), cursor: screen.cursor }
}

/** Moves the cursor of the top screen to an item; the window follows. */
export const moveTo = (state: State, at: number): State => {
  const screen = topScreen(state)
  const list = listing(state)
  if (!("cursor" in screen) || list === undefined) return state
  const cursor = settle({ at, top: list.cursor.top }, list.length, list.height)
  return cursor === screen.cursor ? state : putScreen(state, { ...screen, cursor })
}

/** Moves the cursor by a number of items. */
export const moveBy = (state: State, delta: number): State => {
  const list = listing(state)
  if (list === undefined) return state
  // A cursor at the end stays there: clamping first keeps `at + delta` from running away past the list.
  return moveTo(state, Math.max(0, Math.min(list.length - 1, list.cursor.at + delta)))
}
