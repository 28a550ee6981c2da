import { masked, maskedPart } from "../../state/Masking.ts"
import { putScreen } from "../../state/ScreenStack.ts"
import { type Screen, type State, stay, type Transition, withCommands } from "../../state/State.ts"
import { start } from "../Cursor.ts"
import { current, type EventsScreen, withNumbers } from "./EventsScreen.ts"
import { joinEvents } from "./LoadedEvents.ts"
import type { UnreadableParts } from "./UnreadableParts.ts"

const maskedParts = (parts: UnreadableParts): UnreadableParts =>
  new Map(
    Array.from(parts, ([page, reasons]) => [
      page,
      new Map(Array.from(reasons, ([reason, one]) => [reason, { ...one, sample: maskedPart(one.sample) }]))
    ])
  )

/** Events of one part: a few milliseconds of work, so that keys keep working. */
const maskedAtOnce = 50

/** Events of the first part: as many as are loaded at the start. A cursor below them returns once its event is masked. */
const maskedFirst = 200

/** The list with its first events masked. The others are not shown before they are masked, too. */
export const startMasking = (screen: EventsScreen): EventsScreen => {
  const here = current(screen)
  const isNear = screen.events.findIndex((event) => event === here) < maskedFirst
  const rest = screen.events.slice(maskedFirst)
  return {
    ...screen,
    events: masked(screen.events.slice(0, maskedFirst)),
    fresh: masked(screen.fresh),
    unreadable: maskedParts(screen.unreadable),
    preview: undefined,
    readAhead: undefined,
    cursor: isNear ? screen.cursor : start,
    masking: rest.length === 0 ? undefined : { rest, cursor: screen.cursor }
  }
}

/** The list with the next part masked; at the end, the cursor returns to where it was, unless it was moved meanwhile. */
const continueMasking = (screen: EventsScreen): EventsScreen => {
  const { masking } = screen
  if (masking === undefined) return screen
  const rest = masking.rest.slice(maskedAtOnce)
  const events = joinEvents(screen.events, masked(masking.rest.slice(0, maskedAtOnce)))
  return rest.length > 0
    ? { ...screen, events, masking: { ...masking, rest } }
    : {
        ...withNumbers({ ...screen, events }),
        masking: undefined,
        cursor: screen.cursor.at === 0 ? masking.cursor : screen.cursor
      }
}

const isMasking = (screen: Screen): screen is EventsScreen => screen._tag === "Events" && screen.masking !== undefined

/** Requests the next part, if one is left. */
export const withNextPart = (state: State): Transition =>
  state.screens.some(isMasking) ? withCommands(state, { _tag: "MaskMore" }) : stay(state)

/** Masks the next part of the lists. */
export const maskMore = (state: State): Transition => {
  const screen = state.screens.find(isMasking)
  return screen === undefined ? stay(state) : withNextPart(putScreen(state, continueMasking(screen)))
}
