import type { Unreadable } from "@signalbox/core/Drift"
import {
  addReasons,
  joinReasons,
  noReasons,
  partsOf,
  type UnreadableReasons
} from "@signalbox/operator/reading/UnreadableReasons"

/** Why parts of responses could not be read, by the read they came with: a page that is read again replaces its own. */
export type UnreadableParts = ReadonlyMap<number, UnreadableReasons>

/** No such part. */
export const none: UnreadableParts = new Map()

/** The reasons of all pages. */
export const reasonsOf = (parts: UnreadableParts): UnreadableReasons => joinReasons(Array.from(parts.values()))

/** How many parts there are. */
export const countOf = (parts: UnreadableParts): number =>
  Array.from(parts.values()).reduce((sum, reasons) => sum + partsOf(reasons), 0)

/** The key of a live tail, which reads no page of the list: its parts are kept apart from those of the first page. */
export const tail = -1

/** The key of a window that was read whole. */
export const window = -2

/** The parts with those of one page replaced. */
export const withPage = (
  parts: UnreadableParts,
  page: number,
  unreadable: ReadonlyArray<Unreadable>
): UnreadableParts =>
  unreadable.length === 0 && !parts.has(page) ? parts : new Map([...parts, [page, addReasons(noReasons, unreadable)]])
