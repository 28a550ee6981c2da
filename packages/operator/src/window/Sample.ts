/**
 * A window of time by a few pages: how many events failed at points of it, and since when a cause lasts. A day of 20,000
 * events takes 48 requests instead of 400.
 */
import type { ActivityNotification } from "@signalbox/core/Records"
import { timeOf } from "../reading/EventKey.ts"
import type { EventFilters, EventsShape } from "@signalbox/core/Events"
import { largestPage } from "@signalbox/core/Operations"
import type { ListEventsError } from "@signalbox/core/Errors"
import * as Effect from "effect/Effect"
import { type Coverage, coverageOf } from "../diagnosis/Coverage.ts"
import { type FailureGroup, failureGroups, hasCause, withDistinctTitles } from "../diagnosis/FailureGroup.ts"
import type { TimeRange } from "../diagnosis/Histogram.ts"

/** Pages that are read at the same time. */
const concurrency = 4

/** The newest events before one point in time. */
export interface SamplePoint {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly events: ReadonlyArray<ActivityNotification>
  readonly coverage: Coverage
}

/** Points of a window, the oldest first. */
export interface Sample {
  readonly range: TimeRange
  readonly points: ReadonlyArray<SamplePoint>
  readonly groups: ReadonlyArray<FailureGroup>
  /** How many events the window probably has, by the time that each page covers. */
  readonly expected: number
}

/** Since when a cause lasts. */
export type Onset =
  /** It began at this time, give or take `precisionMs`, and has lasted since. */
  | { readonly _tag: "Began"; readonly at: number; readonly precisionMs: number }
  /** It is in every part of the window. */
  | { readonly _tag: "Before"; readonly at: number }
  /** It does not last, it grows slowly, or it is too rare to say when it began. */
  | { readonly _tag: "Intermittent"; readonly firstSeen: number }

type List = Pick<EventsShape, "list">

/** The newest events before a time, inside of the window. */
const pageBefore = (
  { list }: List,
  filters: EventFilters,
  at: number,
  from: number
): Effect.Effect<ReadonlyArray<ActivityNotification>, ListEventsError> =>
  Effect.map(list({ ...filters, before: new Date(at).toISOString(), limit: largestPage, page: 0 }), ({ data }) =>
    data.filter((event) => timeOf(event) >= from && timeOf(event) < at)
  )

/** Events of the window, from how many each page has and the time that it covers. */
const expectedIn = (points: ReadonlyArray<SamplePoint>, { from, to }: TimeRange): number => {
  const step = (to - from) / Math.max(1, points.length)
  return Math.round(
    points.reduce((sum, { at, events }) => {
      const oldest = events.at(-1)
      if (oldest === undefined) return sum
      const covers = Math.max(1, at - timeOf(oldest))
      return sum + (events.length < largestPage ? events.length : (events.length * step) / Math.min(covers, step))
    }, 0)
  )
}

/**
 * Reads a page at each of `count` points of a window.
 *
 * @example
 * ```ts
 * const sample = yield* sampleWindow(restoring(yield* Events), {}, { from: now - 86_400_000, to: now })
 * // sample.points.map(({ coverage }) => coverage.failed / coverage.events)
 * ```
 */
export const sampleWindow = (
  events: List,
  filters: EventFilters,
  range: TimeRange,
  count = 48
): Effect.Effect<Sample, ListEventsError> =>
  Effect.map(
    Effect.forEach(
      Array.from({ length: count }, (_, index) => range.from + ((index + 1) * (range.to - range.from)) / count),
      (at) =>
        Effect.map(pageBefore(events, filters, at, range.from), (found): SamplePoint => ({
          at,
          events: found,
          coverage: coverageOf(found)
        })),
      { concurrency }
    ),
    (points) => ({
      range,
      points,
      // Pages overlap where few events happen.
      groups: withDistinctTitles(
        failureGroups(Array.from(new Set(points.toReversed().flatMap((point) => point.events))))
      ),
      expected: expectedIn(points, range)
    })
  )

/** At least this many failures of a page, on average, make it unlikely that a page of a lasting cause has none: 1 in 400. */
const enoughFailures = 6

/** Pages without the cause that are read before its first failure; each has none by chance in 1 of 400 cases. */
const proofPages = 3

/** The most pages that are read for one cause. */
const pageLimit = 40

const countIn = (events: ReadonlyArray<ActivityNotification>, cause: string): number =>
  events.filter((event) => hasCause(event, cause)).length

const firstIn = (events: ReadonlyArray<ActivityNotification>, cause: string): number | undefined => {
  const first = events.findLast((event) => hasCause(event, cause))
  return first === undefined ? undefined : timeOf(first)
}

/** How far failures of a cause are apart, on average: it may have begun that much before the first one. */
const spacing = (events: ReadonlyArray<ActivityNotification>, cause: string): number => {
  const times = events.filter((event) => hasCause(event, cause)).map(timeOf)
  const [newest = 0] = times
  return times.length < 2 ? Number.POSITIVE_INFINITY : (newest - (times.at(-1) ?? 0)) / (times.length - 1)
}

/**
 * Finds when a cause began, by bisection between the last point of the sample without it and the first with it. Bisection
 * assumes that a cause lasts once it has begun: where the sample contradicts that, or where the cause is so rare that a page
 * may lack it by chance, the result is `Intermittent`. A shorter run between two points of the sample is not seen.
 */
export const findOnset = (
  events: List,
  filters: EventFilters,
  sample: Sample,
  cause: string
): Effect.Effect<Onset, ListEventsError> =>
  Effect.gen(function* () {
    const { points, range } = sample
    // A point without events says nothing.
    const known = points.filter((point) => point.events.length > 0)
    const counts = known.map((point) => countIn(point.events, cause))
    const seen = known.flatMap((point) => firstIn(point.events, cause) ?? [])
    const firstSeen = Math.min(...seen)
    const intermittent: Onset = { _tag: "Intermittent", firstSeen }
    const start = counts.findIndex((count) => count > 0)
    const active = counts.slice(start)
    const average = active.reduce((sum, count) => sum + count, 0) / Math.max(1, active.length)
    if (start === -1 || active.includes(0) || active.length < 2 || average < enoughFailures) return intermittent
    if (start === 0) return { _tag: "Before", at: range.from } as const
    let low = known[start - 1]?.at ?? range.from
    let page = known[start]?.events ?? []
    let high = firstIn(page, cause) ?? low
    let reads = 0
    // Bisection, until the page before the first failure reaches back to where the cause was not.
    while (high - low > 1 && reads < pageLimit) {
      const oldest = page.at(-1)
      if (oldest !== undefined && timeOf(oldest) <= low) break
      const middle = (low + high) / 2
      const found = yield* pageBefore(events, filters, middle, range.from)
      reads += 1
      const first = firstIn(found, cause)
      if (first === undefined) low = middle
      else {
        page = found
        high = first
      }
      if (high - low < minute) break
    }
    // The pages before the first failure prove that it is the first. One that has the cause moves it.
    let before = high
    for (let free = 0; free < proofPages && before > range.from;) {
      if (reads >= pageLimit) return intermittent
      const found = yield* pageBefore(events, filters, before, range.from)
      reads += 1
      const oldest = found.at(-1)
      if (oldest === undefined) break
      const first = firstIn(found, cause)
      if (first !== undefined) {
        high = first
        free = 0
        page = found
      } else free += 1
      before = timeOf(oldest)
    }
    // A cause that grows for hours has hardly a failure in the page after the first one: that one is not its beginning.
    const length = timeOf(page[0] ?? {}) - timeOf(page.at(-1) ?? {})
    const next = yield* pageBefore(events, filters, Math.min(high + length + 1, range.to), range.from)
    if (countIn(next, cause) * 2 < average) return intermittent
    const after = points.find((point) => point.at > high)?.events ?? page
    const precisionMs = Math.max(minute, spacing(after, cause))
    return precisionMs > longestPrecision
      ? { _tag: "Intermittent", firstSeen: high }
      : { _tag: "Began", at: high, precisionMs }
  })

const minute = 60_000

/** A time that is less exact than this is not worth showing. */
const longestPrecision = 10 * minute
