import type { Area } from "../view/Area.ts"
import type { Size } from "../state/Settings.ts"

/** Rows that are not the screen's own: header, status line, footer. */
const chromeRows = 3

/** From this width on, a list has a pane next to it. */
const paneColumns = 110

/** Rows between the header and the status line. */
export const bodyHeight = (size: Size): number => Math.max(1, size.rows - chromeRows)

/** Columns of the list and of the pane next to it; no pane on narrow terminals. */
export const split = (columns: number): { readonly list: number; readonly pane: number } => {
  if (columns < paneColumns) return { list: columns, pane: 0 }
  const pane = Math.min(70, Math.floor((columns - 1) * 0.4))
  return { list: columns - 1 - pane, pane }
}

/** Rows above a list: what it shows, and the titles of its columns. */
export const listHead = 2

/**
 * Rows of a list in the rows that it shares with details about its item under the cursor. The details have the rest: a
 * short list leaves them its rows. Without `lines`, the most that the list can have.
 */
export const listRows = (height: number, lines = Number.POSITIVE_INFINITY): number =>
  Math.max(1, Math.min(lines, height - (height >= 15 ? 8 : 5)))

/** Two lines about the event and the column titles. */
export const eventHead = 3

/** How the list of events shares its area with the incident above it and the preview. */
export interface EventsLayout {
  /** Rows of failures over time and causes. */
  readonly incident: number
  /** Columns of the list; the preview has the rest if it is next to the list. */
  readonly list: number
  readonly pane: number
  /** Rows of the list itself; the preview has the rest where it is below the list. */
  readonly rows: number
}

/** From this width on, a preview below the list has two columns. */
export const dockColumns = 100

/** The layout of the list of events for an area. */
export const eventsLayout = ({ columns, height }: Area): EventsLayout => {
  const pane = columns >= 170 && height >= 24 ? Math.min(88, Math.floor(columns * 0.42)) : 0
  const incident = height < 11 ? 0 : columns < 100 || height < 28 ? 1 : height >= 46 ? 10 : 6
  const foot = pane > 0 || height < 12 ? 0 : height < 28 ? 2 : columns < dockColumns ? 9 : 11
  return {
    incident,
    list: pane === 0 ? columns : columns - pane - 1,
    pane,
    rows: Math.max(1, height - listHead - incident - foot)
  }
}

/** Whether an event fills the terminal with a waterfall on its whole width and panels below. */
export const isWideEvent = ({ columns, height }: Area): boolean => columns >= 100 && height >= 24

/** Rows of the steps of an event: at most half of what is left below the head, or as many as the explanation leaves. */
export const stepRoom = (area: Area, lines: number): number =>
  isWideEvent(area)
    ? Math.min(lines, Math.max(6, Math.floor((area.height - 2) * 0.5)) - 1)
    : listRows(area.height - eventHead, lines)

/** Rows about the cause under the cursor, with a rule that has the facts for which the columns have no room. */
export const causesFoot = (height: number): number => (height >= 18 ? 6 : 1)

/** How many credentials and events of a subscriber are shown: below two lines about the person and a title, at most half. */
export const subscriberHeight = (height: number): number => Math.max(1, Math.min(8, Math.floor((height - 6) / 2)))
