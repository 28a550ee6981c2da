/**
 * A bulk run for human readers.
 */
import { faultOf } from "../FaultPlan.ts"
import { start } from "../VirtualTime.ts"
import type { BulkObservation } from "./BulkRun.ts"

interface Line {
  readonly at: number
  readonly text: string
}

const requests = ({ journal }: BulkObservation): ReadonlyArray<Line> =>
  journal.flatMap(({ applied, at, endedAt, faults, number, outcome, path, replayed }) => [
    { at, text: `request ${number} arrives: ${path}` },
    {
      at: endedAt ?? at,
      text:
        `request ${number} ends, ${applied ? "applied" : replayed ? "replayed" : "not applied"}: ` +
        JSON.stringify(outcome) +
        (faults.length === 0 ? "" : ` (${faults.join("; ")})`)
    }
  ])

/** The timeline, line by line; identical for every run. */
export const bulkTimeline = (observation: BulkObservation): ReadonlyArray<string> => {
  const { lives, report = [], scenario } = observation
  const { faults, kills, ...run } = scenario
  const lines: ReadonlyArray<Line> = [
    ...requests(observation),
    ...lives.map(({ at, end }, index) => ({
      at,
      text: `process ${index + 1} ${typeof end === "string" ? end : `fails: ${end.message}`}`
    }))
  ]
  return [
    `run ${JSON.stringify(run)}`,
    ...kills.map((kill, index) => `process ${index + 1} is killed ${JSON.stringify(kill)}`),
    ...faults.map((plan) => `fault ${JSON.stringify(faultOf(plan))}`),
    ...lines
      .toSorted((one, other) => one.at - other.at)
      .map(({ at, text }) => `${String(at - start).padStart(7)} ms  ${text}`),
    ...report.map((line) => JSON.stringify(line)),
    `status ${JSON.stringify(observation.status?.counts)}`
  ]
}
