import type { ActivityJob, ActivityNotification } from "@signalbox/core/Activity"
import { jobResult } from "../../status/Status.ts"
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
  readonly place: (at: number) => number
  readonly took: (job: ActivityJob) => number | undefined
  readonly stretch: (job: ActivityJob) => Stretch | undefined
  /** Whether a wait was cut. */
  readonly broken: boolean
}

const times = (job: ActivityJob): ReadonlyArray<number> =>
  [...job.executionDetails.map(({ createdAt }) => createdAt), job.updatedAt]
    .map((iso) => (iso === undefined ? Number.NaN : Date.parse(iso)))
    .filter((at) => !Number.isNaN(at))

const stretchOf = (job: ActivityJob): Stretch | undefined => {
  const all = times(job)
  return all.length === 0 ? undefined : { from: Math.min(...all), to: Math.max(...all) }
}

/** A wait is cut when it is longer than this many times everything else together. */
const cutAbove = 3

/** The share of the line that a cut wait keeps. */
const cutShare = 0.25

/** The axis of an event. Between two neighbouring times is one segment; segments that dwarf the rest are cut. */
export const axis = (event: ActivityNotification): Axis => {
  const jobs = event.jobs ?? []
  const points = Array.from(new Set(jobs.flatMap(times))).sort((a, b) => a - b)
  const segments = points.slice(1).map((to, index) => to - (points[index] ?? to))
  const total = segments.reduce((sum, length) => sum + length, 0)
  const long = segments.map(
    (length) => length > (total - length) * cutAbove || (length > 60_000 && length > total * 0.4)
  )
  const rest = segments.reduce((sum, length, index) => sum + (long[index] === true ? 0 : length), 0)
  const cuts = long.filter(Boolean).length
  const share = cuts === 0 ? 0 : Math.min(0.7, cuts * cutShare)
  const places = new Map<number, number>()
  let place = 0
  for (const [index, at] of points.entries()) {
    places.set(at, place)
    const length = segments[index] ?? 0
    place += long[index] === true ? share / cuts : rest === 0 ? 0 : (length / rest) * (1 - share)
  }
  const end = place === 0 ? 1 : place
  return {
    place: (at) => (places.get(at) ?? 0) / end,
    took: (job) => {
      const stretch = stretchOf(job)
      return stretch === undefined ? undefined : stretch.to - stretch.from
    },
    stretch: stretchOf,
    broken: cuts > 0
  }
}

/** The job on the axis as cells: where it was busy. */
export const bar = (scale: Axis, job: ActivityJob, columns: number, glyphs: Glyphs): ReadonlyArray<Span> => {
  const stretch = scale.stretch(job)
  if (stretch === undefined) return [span(" ".repeat(columns))]
  const from = Math.min(columns - 1, Math.floor(scale.place(stretch.from) * columns))
  const to = Math.min(columns, Math.max(from + 1, Math.ceil(scale.place(stretch.to) * columns)))
  const waits = job.type === "digest" || job.type === "delay" || job.type === "throttle"
  return [
    span(glyphs.name === "ascii" ? ".".repeat(from) : " ".repeat(from), "dim"),
    span((waits && scale.broken ? glyphs.gap : glyphs.block).repeat(to - from), toneOf(jobResult(job).kind)),
    span(" ".repeat(columns - to))
  ]
}
