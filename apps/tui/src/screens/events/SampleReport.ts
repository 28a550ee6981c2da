import type { TimeRange } from "@signalbox/operator/diagnosis/Histogram"
import type { Onset, Sample } from "@signalbox/operator/window/Sample"

/** A sample with the onset of each of its most frequent causes. */
export interface SampleReport {
  /** The length of the window as it was typed. */
  readonly name: string
  readonly sample: Sample
  readonly onsets: ReadonlyMap<string, Onset>
}

/** The parts of a sample that a list keeps: no records. */
export interface Sampled {
  readonly range: TimeRange
  /** Failures a millisecond before each point, the oldest first. */
  readonly rates: ReadonlyArray<number>
  readonly onsets: ReadonlyMap<string, Onset>
}

/** The rates and onsets of a sample, from its first events on: the time before those has none to draw. */
export const sampledOf = ({ onsets, sample: { points, range } }: SampleReport): Sampled => {
  const empty = Math.max(
    0,
    points.findIndex(({ events }) => events.length > 0)
  )
  const rates = points.slice(empty).map(({ at, coverage, events }) => {
    const oldest = Date.parse(events.at(-1)?.createdAt ?? "")
    return Number.isNaN(oldest) ? 0 : coverage.failed / Math.max(1, at - oldest)
  })
  const step = (range.to - range.from) / Math.max(1, points.length)
  return { range: { from: range.from + empty * step, to: range.to }, rates, onsets }
}

/** Failures that a period probably has, in `count` bars. */
export const sampledBars = ({ range, rates }: Sampled, drawn: TimeRange, count: number): ReadonlyArray<number> => {
  const step = (range.to - range.from) / Math.max(1, rates.length)
  const length = (drawn.to - drawn.from) / count
  return Array.from({ length: count }, (_, bar) => {
    const from = drawn.from + bar * length
    return Math.round(
      rates.reduce((sum, rate, at) => {
        const start = range.from + at * step
        return sum + rate * Math.max(0, Math.min(from + length, start + step) - Math.max(from, start))
      }, 0)
    )
  })
}
