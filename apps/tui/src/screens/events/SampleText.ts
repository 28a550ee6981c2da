import { keyFor } from "../../actions/Action.ts"
import { failedOf } from "@signalbox/operator/diagnosis/Coverage"
import { counted } from "@signalbox/operator/text/Counted"
import { shortAge } from "@signalbox/operator/text/Moment"
import type { Onset } from "@signalbox/operator/window/Sample"
import type { State } from "../../state/State.ts"
import { momentOf, zoneOf } from "../../view/Times.ts"
import type { SampleReport } from "./SampleReport.ts"

/** Cells of the longest bar: in front of the counts, which a small terminal may cut. */
const barCells = 20

const percent = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 100))

/** Since when a cause lasts, in words: `began 14:02 ±2 min`. */
export const onsetText = (onset: Onset | undefined, state: State): string => {
  switch (onset?._tag) {
    case "Began":
      return `began ${momentOf(state, onset.at)} ±${Math.ceil(onset.precisionMs / 60_000)} min`
    case "Before":
      return `began before ${momentOf(state, onset.at)}`
    case "Intermittent":
      return `intermittent, first seen ${momentOf(state, onset.firstSeen)}`
    case undefined:
      return "start not searched for"
  }
}

/** The sample as text: since when its causes last, and the share of failures over time, drawn as what it is. */
export const sampleText = ({ name, onsets, sample }: SampleReport, state: State): string => {
  const { expected, groups, points } = sample
  const { glyphs } = state.settings
  const { heading, moment } = zoneOf(state)
  const read = points.reduce((sum, point) => sum + point.events.length, 0)
  const shares = points.map(({ coverage }) => percent(coverage.failed, coverage.events - coverage.unreadable))
  const highest = Math.max(1, ...shares)
  return [
    `${counted(points.length, "point")} of ${name} sampled: ${read} of about ${expected} events; ${keyFor(state, "load a window")} loads all of them`,
    "",
    `${counted(groups.length, "CAUSE").toUpperCase()} IN THE SAMPLE`,
    ...groups.map(
      ({ cause, events, lastSeen, title }) =>
        `${String(events.length).padStart(5)}  ${title}: ${onsetText(onsets.get(cause), state)}${lastSeen === undefined ? "" : `, last ${shortAge(lastSeen, state.now)} ago`}`
    ),
    "",
    `FAILURES, SHARE OF THE EVENTS BEFORE EACH POINT, ${heading}`,
    ...points.map(({ at, coverage }, index) => {
      const share = shares[index] ?? 0
      const time = moment(at, state.now).padStart(12)
      if (coverage.events === 0) return `${time}      -  no events`
      const bar = glyphs.sampled.repeat(Math.round((share / highest) * barCells)).padEnd(barCells)
      return `${time}  ${`${share} %`.padStart(5)}  ${bar}  ${failedOf(coverage)}`
    })
  ].join("\n")
}
