import { linesOf } from "./event/EventScreen.ts"
import type { Screen } from "../state/State.ts"
import type { Size } from "../state/Settings.ts"

/** Rows that are not the screen's own: header, status line, footer. */
const chromeRows = 3

/** From this width on a list has a pane beside it. */
const paneColumns = 110

/** Rows between the header and the status line. */
export const bodyHeight = (size: Size): number => Math.max(1, size.rows - chromeRows)

/** Columns of the list and of the pane beside it; no pane on narrow terminals. */
export const split = (columns: number): { readonly list: number; readonly pane: number } => {
  if (columns < paneColumns) return { list: columns, pane: 0 }
  const pane = Math.min(70, Math.floor((columns - 1) * 0.4))
  return { list: columns - 1 - pane, pane }
}

/** Rows of the part below the list of an event on narrow terminals. */
export const eventFoot = (height: number, lines: number): number => {
  const least = height >= 18 ? 8 : 5
  // What a short list leaves free goes to the cause and the raw text.
  return Math.max(least, Math.min(height - eventHead - lines - 1, Math.floor(height * 0.6)))
}

/** Two lines about the event and the column titles. */
const eventHead = 3

/** Rows of the preview below the list of events on tall, narrow terminals. */
export const eventsFoot = (height: number, columns: number): number =>
  split(columns).pane > 0 || height < 12 ? 0 : height >= 26 ? 8 : 2

/** Rows of the part below the messages. */
export const messagesFoot = (height: number): number => (height >= 18 ? 8 : 4)

/** How many items the list of a screen shows. */
export const listHeight = (screen: Screen, height: number, size: Size): number => {
  const hasPane = split(size.columns).pane > 0
  switch (screen._tag) {
    // Chips and column titles.
    case "Events":
      return Math.max(1, height - 2 - eventsFoot(height, size.columns))
    case "Event":
      return Math.max(1, height - eventHead - (hasPane ? 0 : eventFoot(height, linesOf(screen).length)))
    // Two lines about the person, a title, and at most half of the rest.
    case "Subscriber":
      return Math.max(1, Math.min(8, Math.floor((height - 6) / 2)))
    // A line about where the list comes from and column titles.
    case "Messages":
      return Math.max(1, height - 2 - (hasPane ? 0 : messagesFoot(height)))
    case "Text":
      return height
    case "Credentials":
      return 0
  }
}
