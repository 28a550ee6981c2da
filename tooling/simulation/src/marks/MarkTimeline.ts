/**
 * A `markManyAs` scenario for human readers.
 */
import { faultLines, inOrderOfTime, requestLines } from "../Timeline.ts"
import type { MarkObservation, MarkReport } from "./MarkRun.ts"

const counts = ({ done, failed, notTried }: MarkReport): string =>
  `${done.length} done, ${failed.length} failed, ${notTried.length} not tried`

const describeEnd = ({ end, reports }: MarkObservation): string => {
  const reported = reports.map(counts).join(" and ")
  switch (end._tag) {
    case "Value":
      return `it succeeds: ${end.value.messages.length} returned, ${end.value.notReturned.length} not returned; reported ${reported}`
    case "Error":
      return `it fails: ${counts(end.error)}; reported ${reported}`
    case "Interrupted":
      return `it is aborted; reported ${reported}`
    case "Defect":
      return "it fails with a defect"
  }
}

/** The timeline, line by line; identical for every run. */
export const markTimeline = (observation: MarkObservation): ReadonlyArray<string> => {
  const { endedAt, scenario } = observation
  const { faults, ...work } = scenario
  const lines = [...requestLines(observation.journal), { at: endedAt, text: describeEnd(observation) }]
  return [`work ${JSON.stringify(work)}`, ...faultLines(faults), ...inOrderOfTime(lines)]
}
