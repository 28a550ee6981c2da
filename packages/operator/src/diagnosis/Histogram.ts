/**
 * Events counted over time: the shape of an incident.
 */
import type { ActivityNotification } from "@signalbox/core/Records"

/** A span of time in milliseconds since 1970; `to` is part of it. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** The time from the first to the last of the events; absent where none has a time. */
export const timeRange = (events: ReadonlyArray<ActivityNotification>): TimeRange | undefined => {
  let from = Number.POSITIVE_INFINITY
  let to = Number.NEGATIVE_INFINITY
  for (const { createdAt } of events) {
    const at = Date.parse(createdAt ?? "")
    if (Number.isNaN(at)) continue
    from = Math.min(from, at)
    to = Math.max(to, at)
  }
  return to < from ? undefined : { from, to }
}

/** Which of `count` equal parts of a range a time is in. */
export const bucketOf = (at: number, { from, to }: TimeRange, count: number): number =>
  to === from ? count - 1 : Math.max(0, Math.min(count - 1, Math.floor(((at - from) / (to - from)) * count)))

/** How many of the events each of `count` equal parts of a range has, the oldest part first. */
export const histogram = (
  events: ReadonlyArray<ActivityNotification>,
  range: TimeRange,
  count: number
): ReadonlyArray<number> => {
  const counts = Array.from({ length: count }, () => 0)
  for (const { createdAt } of events) {
    const at = Date.parse(createdAt ?? "")
    if (Number.isNaN(at) || at < range.from || at > range.to) continue
    const bucket = bucketOf(at, range, count)
    counts[bucket] = (counts[bucket] ?? 0) + 1
  }
  return counts
}
