/**
 * The data of the band above the list. Computed once for a list of loaded events: every frame shows it, and lists are
 * long.
 */
import type { FailureGroup } from "@signalbox/operator/diagnosis/FailureGroup"
import { histogram, type TimeRange } from "@signalbox/operator/diagnosis/Histogram"
import { remembered } from "../../state/Remembered.ts"
import { summaryOf } from "./LoadedEvents.ts"
import type { Sampled } from "./SampleReport.ts"
import type { Events } from "./EventIndex.ts"

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Shares of the loaded events that bars may leave out at the old end, and how many times as short the time must be then. */
const leftOut = [
  { share: 0.1, gain: 4 },
  { share: 0.25, gain: 8 },
  { share: 0.5, gain: 16 }
]

/**
 * The time that bars are drawn for. A few old events among many of the last hours would leave those one bar: where the
 * time is several times as short without the oldest, they are left out. Expects the newest event first.
 */
export const drawnRange = (events: Events): TimeRange | undefined => {
  const { range } = summaryOf(events)
  if (range === undefined) return undefined
  for (const { gain, share } of leftOut) {
    const from = Date.parse(events[Math.floor((events.length - 1) * (1 - share))]?.createdAt ?? "")
    if (from < range.to && range.to - range.from >= gain * (range.to - from)) return { from, to: range.to }
  }
  return range
}

/** Lengths of a bar that people count in; each so close to the next that bars fill most of the room. */
const lengths: ReadonlyArray<readonly [milliseconds: number, name: string]> = [
  ...[1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50].map((count) => [count * second, `${count} s`] as const),
  [minute, "1 min"],
  [90 * second, "90 s"],
  ...[2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50].map((count) => [count * minute, `${count} min`] as const),
  [hour, "1 hour"],
  [90 * minute, "90 min"],
  ...[2, 3, 4, 5, 6, 8, 10, 12, 16, 20].map((count) => [count * hour, `${count} hours`] as const),
  [24 * hour, "1 day"]
]

/** A time range in bars of a round length. */
export interface Scale {
  readonly range: TimeRange
  readonly count: number
  /** Length of a bar in words: `30 min`. */
  readonly name: string
  /** The cell at which a bar begins; a bar ends where the next one begins. */
  readonly cellOf: (bar: number) => number
  /** Whether bars are wide enough to keep their last cell empty. */
  readonly isParted: boolean
  /** Time of the newest event, in milliseconds since 1970. */
  readonly newest: number
}

/** Cells of a bar with the one that parts it from the next; fewer bars leave room. */
const widestBar = 6

/** From this width on, bars are parted by an empty cell. */
const partedBar = 3

/** The time drawn in bars of a round length that share `columns` among them; absent where no event has a time. */
export const scaleFor = (events: Events, columns: number, sampled?: Sampled): Scale | undefined => {
  const loaded = drawnRange(events)
  if (loaded === undefined || columns < 1) return undefined
  const range = sampled === undefined ? loaded : { from: Math.min(loaded.from, sampled.range.from), to: loaded.to }
  const bars = (length: number) => Math.floor(range.to / length) - Math.floor(range.from / length) + 1
  const days = Math.ceil((range.to - range.from) / (24 * hour) / columns) + 1
  // Bars shorter than a minute are only used where bars of a minute would leave room empty.
  const isUsed = ([length]: (typeof lengths)[number]) =>
    bars(length) <= columns && (length >= minute || bars(minute) * widestBar < columns)
  const [length, name] = lengths.find(isUsed) ?? [days * 24 * hour, `${days} days`]
  const from = Math.floor(range.from / length) * length
  const count = Math.floor((range.to - from) / length) + 1
  const cells = Math.min(widestBar, columns / count)
  return {
    range: { from, to: from + count * length - 1 },
    count,
    name,
    cellOf: (bar) => Math.round(bar * cells),
    isParted: cells >= partedBar,
    newest: range.to
  }
}

const barsOf: (events: Events) => Map<string, ReadonlyArray<number>> = remembered(() => new Map())

const bars = (events: Events, which: "failures" | "unreadable", range: TimeRange, count: number) => {
  const key = `${which} ${range.from} ${range.to} ${count}`
  const known = barsOf(events).get(key)
  if (known !== undefined) return known
  const made = histogram(summaryOf(events)[which], range, count)
  barsOf(events).set(key, made)
  return made
}

/** Counts the failures of a period in `count` bars. */
export const failureBars = (events: Events, range: TimeRange, count: number): ReadonlyArray<number> =>
  bars(events, "failures", range, count)

/** Counts the events of a period of which it is unknown whether they failed, in `count` bars. */
export const unreadableBars = (events: Events, range: TimeRange, count: number): ReadonlyArray<number> =>
  bars(events, "unreadable", range, count)

/** Bars of the trend of a group. */
export const trendBars = 8

const trends = remembered((group: FailureGroup, events: Events): ReadonlyArray<number> => {
  const range = drawnRange(events)
  return range === undefined ? [] : histogram(group.events, range, trendBars)
})

/** The failures of a group over the time drawn. */
export const trendOf = (events: Events, group: FailureGroup): ReadonlyArray<number> => trends(group, events)
