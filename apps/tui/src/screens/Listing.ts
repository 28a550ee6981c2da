import { type Screen, type State, putScreen, topScreen } from "../state/State.ts"
import { messagesOf } from "../state/Facts.ts"
import { type Cursor, settle } from "./Cursor.ts"
import { linesOf } from "./event/EventScreen.ts"
import { visible } from "./events/EventsScreen.ts"
import { eventsOf } from "./subscriber/SubscriberEvents.ts"
import { channelsOf } from "./subscriber/SubscriberScreen.ts"
import { causesOf } from "./causes/Causes.ts"
import { bodyHeight, listHeight } from "./Layout.ts"

/** The list of the top screen, whatever its kind: how long it is, how much is seen, where the cursor is. */
export interface Listing {
  readonly length: number
  readonly height: number
  readonly cursor: Cursor
}

const lengthOf = (state: State, screen: Screen): number => {
  switch (screen._tag) {
    case "Events":
      return visible(screen).length
    case "Event":
      return linesOf(screen).length
    case "Subscriber":
      return channelsOf(state.facts, screen.subscriberId).length + eventsOf(state.screens, screen.subscriberId).length
    case "Messages":
      return messagesOf(state.facts, screen.subscriberId).length
    case "Causes":
      return causesOf(state, screen).length
    case "Requests":
      return state.requests.length
    case "Compare":
    case "Text":
      return screen.lines.length
    case "Credentials":
      return 0
  }
}

/** The list of the top screen; absent for the form. */
export const listing = (state: State): Listing | undefined => {
  const screen = topScreen(state)
  if (screen._tag === "Credentials") return undefined
  return {
    length: lengthOf(state, screen),
    height: listHeight(screen, bodyHeight(state.size), state.size),
    cursor: screen.cursor
  }
}

/** Moves the cursor of the top screen to an item; the window follows. */
export const moveTo = (state: State, at: number): State => {
  const screen = topScreen(state)
  const list = listing(state)
  if (screen._tag === "Credentials" || list === undefined) return state
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
