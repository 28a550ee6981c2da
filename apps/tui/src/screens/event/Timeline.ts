import type { ActivityJob, ActivityNotification } from "@signalbox/core/Records"
import { jobResult } from "@signalbox/operator/status/Status"
import type { Glyphs } from "../../theme/Glyphs.ts"
import { toneOf } from "../../view/Result.ts"
import { type Span, span } from "../../view/Row.ts"

/** A stretch of time that one job took, in milliseconds since 1970. */
interface Stretch {
  readonly from: number
  readonly to: number
}

/** Places of times on a line of unit length. Long waits are cut to a fixed share, so that the short steps stay visible. */
export interface Axis {
  /** Where a time lies, from 0 to 1; times outside of the event lie at its ends. */
  readonly place: (at: number) => number
  /** Milliseconds from the first sign of a job to its last. */
  readonly took: (job: ActivityJob) => number | undefined
  readonly stretch: (job: ActivityJob) => Stretch | undefined
  /** Whether the line between two places leads through a wait that was cut. */
  readonly isCut: (from: number, to: number) => boolean
  /** Whether a wait was cut. */
  readonly broken: boolean
}

/** The time between two neighbouring signs of life of an event, and where it is drawn. */
interface Segment extends Stretch {
  readonly cut: boolean
  readonly place: number
  readonly share: number
}

const times = (job: ActivityJob): ReadonlyArray<number> =>
  [...job.executionDetails.map(({ createdAt }) => createdAt), job.updatedAt]
    .map((iso) => (iso === undefined ? Number.NaN : Date.parse(iso)))
    .filter((at) => !Number.isNaN(at))

const stretchOf = (job: ActivityJob): Stretch | undefined =>
  times(job).reduce<Stretch | undefined>(
    (stretch, at) =>
      stretch === undefined ? { from: at, to: at } : { from: Math.min(stretch.from, at), to: Math.max(stretch.to, at) },
    undefined
  )

/** A wait is cut when it is longer than this many times all shorter ones together. */
const cutAbove = 3

/** Shorter waits are not cut: they are too short to matter. */
const shortestCut = 10_000

/** The share of the line that a cut wait keeps, and the share that all of them keep at most. */
const cutShare = 0.2
const cutSharesAtMost = 0.6

/** The length above which waits are cut. */
const limitOf = (lengths: ReadonlyArray<number>): number => {
  let shorter = 0
  for (const length of lengths.toSorted((a, b) => a - b)) {
    if (length >= shortestCut && shorter > 0 && length > shorter * cutAbove) return length
    shorter += length
  }
  return Number.POSITIVE_INFINITY
}

const segmentsOf = (points: ReadonlyArray<number>): ReadonlyArray<Segment> => {
  const stretches = points.slice(1).map((to, index) => ({ from: points[index] ?? to, to }))
  const limit = limitOf(stretches.map(({ from, to }) => to - from))
  const cuts = stretches.filter(({ from, to }) => to - from >= limit).length
  const shareOfCuts = Math.min(cutSharesAtMost, cuts * cutShare)
  const rest = stretches.reduce((sum, { from, to }) => sum + (to - from >= limit ? 0 : to - from), 0)
  let place = 0
  return stretches.map(({ from, to }) => {
    const cut = to - from >= limit
    const share = cut ? shareOfCuts / cuts : ((to - from) / rest) * (1 - shareOfCuts)
    const segment = { from, to, cut, place, share }
    place += share
    return segment
  })
}

/** The axis of an event. */
export const axis = (event: ActivityNotification): Axis => {
  const points = Array.from(new Set((event.jobs ?? []).flatMap(times))).sort((a, b) => a - b)
  const segments = segmentsOf(points)
  const cuts = segments.filter(({ cut }) => cut)
  return {
    place: (at) => {
      const segment = segments.findLast(({ from }) => from <= at)
      if (segment === undefined) return 0
      const part = Math.min(1, (at - segment.from) / (segment.to - segment.from))
      // Sums of shares are off by a last digit, which would be a cell too much.
      return Math.min(1, Math.round((segment.place + segment.share * part) * 1e9) / 1e9)
    },
    took: (job) => {
      const stretch = stretchOf(job)
      return stretch === undefined ? undefined : stretch.to - stretch.from
    },
    stretch: stretchOf,
    isCut: (from, to) => cuts.some(({ place, share }) => place < to && place + share > from),
    broken: cuts.length > 0
  }
}

/** The job on the axis as cells: where it was busy, and where its time is cut. */
export const bar = (scale: Axis, job: ActivityJob, columns: number, glyphs: Glyphs): ReadonlyArray<Span> => {
  const stretch = scale.stretch(job)
  if (stretch === undefined || columns <= 0) return [span(" ".repeat(Math.max(0, columns)))]
  const from = Math.min(columns - 1, Math.floor(scale.place(stretch.from) * columns))
  const to = Math.min(columns, Math.max(from + 1, Math.ceil(scale.place(stretch.to) * columns)))
  const cells = Array.from({ length: to - from }, (_, index) => {
    const at = (from + index) / columns
    // The cells at its ends show the job itself, however little of it they cover.
    const inside = index > 0 && from + index < to - 1
    return inside && scale.isCut(at, at + 1 / columns) ? glyphs.gap : glyphs.block
  })
  return [
    span(glyphs.name === "ascii" ? ".".repeat(from) : " ".repeat(from), "dim"),
    span(cells.join(""), toneOf(jobResult(job).kind)),
    span(" ".repeat(columns - to))
  ]
}
