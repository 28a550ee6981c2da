/**
 * A bulk run for human readers.
 */
import { faultLines, inOrderOfTime, type Line, requestLines } from "../Timeline.ts"
import type { BulkObservation } from "./BulkRun.ts"

/** The timeline, line by line; identical for every run. */
export const bulkTimeline = (observation: BulkObservation): ReadonlyArray<string> => {
  const { lives, report = [], scenario } = observation
  const { faults, kills, ...run } = scenario
  const lines: ReadonlyArray<Line> = [
    ...requestLines(observation.journal),
    ...lives.map(({ at, end }, index) => ({
      at,
      text: `process ${index + 1} ${typeof end === "string" ? end : `fails: ${end.message}`}`
    }))
  ]
  return [
    `run ${JSON.stringify(run)}`,
    ...kills.map((kill, index) => `process ${index + 1} is killed ${JSON.stringify(kill)}`),
    ...faultLines(faults),
    ...inOrderOfTime(lines),
    ...report.map((line) => JSON.stringify(line)),
    `status ${JSON.stringify(observation.status?.counts)}`
  ]
}
