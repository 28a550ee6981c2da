/**
 * The base of a number of failures: how many events were read, of how many the result is known, and which time they cover.
 */
import type { ActivityNotification } from "@signalbox/core/Records"
import { eventResult, isUnreadable } from "../status/Status.ts"
import { counted } from "../text/Counted.ts"
import { shortAge } from "../text/Moment.ts"
import { type TimeRange, timeRange } from "./Histogram.ts"

/** Counts of events that were read. */
export interface Coverage {
  readonly events: number
  readonly failed: number
  /** Events of which it is unknown whether they failed: a part of them could not be read. */
  readonly unreadable: number
  /** The time from the first to the last event; absent where none has a time. */
  readonly range: TimeRange | undefined
}

/** Counts the events of a list. */
export const coverageOf = (events: ReadonlyArray<ActivityNotification>): Coverage => {
  let failed = 0
  let unreadable = 0
  for (const event of events) {
    if (eventResult(event).kind === "failed") failed += 1
    else if (isUnreadable(event)) unreadable += 1
  }
  return { events: events.length, failed, unreadable, range: timeRange(events) }
}

export const joinedRange = (a: TimeRange | undefined, b: TimeRange | undefined): TimeRange | undefined =>
  a === undefined || b === undefined ? (a ?? b) : { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) }

/** The counts of two lists that have no event in common. */
export const joinCoverage = (a: Coverage, b: Coverage): Coverage => ({
  events: a.events + b.events,
  failed: a.failed + b.failed,
  unreadable: a.unreadable + b.unreadable,
  range: joinedRange(a.range, b.range)
})

/** No event. */
export const noCoverage: Coverage = { events: 0, failed: 0, unreadable: 0, range: undefined }

/** Events whose result is known. */
export const readable = ({ events, unreadable }: Coverage): number => events - unreadable

/** How many events failed among those whose result is known: `13 failed of 180 readable`. */
export const failedOfReadable = (coverage: Coverage): string =>
  `${coverage.failed} failed of ${readable(coverage)}${coverage.unreadable === 0 ? "" : " readable"}`

/** How many events failed, and out of what: `13 failed of 180 readable, 20 unreadable`. */
export const failedOf = (coverage: Coverage): string =>
  `${failedOfReadable(coverage)}${coverage.unreadable === 0 ? "" : `, ${coverage.unreadable} unreadable`}`

/** The sentence to show before any count if the result of some events is unknown; absent if all are known. */
export const unknownFailures = ({ events, unreadable }: Coverage): string | undefined =>
  unreadable === 0
    ? undefined
    : `${unreadable} of ${counted(events, "event")} could not be read: whether ${unreadable === 1 ? "it" : "they"} failed is unknown`

/** The length of the time covered: `13 min`; absent where no event has a time. */
export const covered = ({ range }: Coverage): string | undefined =>
  range === undefined ? undefined : shortAge(range.from, range.to)
