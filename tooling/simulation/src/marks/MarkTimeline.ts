/**
 * A `markManyAs` scenario for human readers.
 */
import { faultOf } from "../FaultPlan.ts"
import { start } from "../VirtualTime.ts"
import type { MarkObservation, MarkReport } from "./MarkRun.ts"

interface Line {
  readonly at: number
  readonly text: string
}

const counts = ({ done, failed, notTried }: MarkReport): string =>
  `${done.length} done, ${failed.length} failed, ${notTried.length} not tried`

const describeEnd = ({ end, reports }: MarkObservation): string => {
  const reported = reports.map(counts).join(" and ")
  switch (end._tag) {
    case "Value":
      return `it succeeds: ${end.messages.length} returned, ${end.notReturned.length} not returned; reported ${reported}`
    case "Error":
      return `it fails: ${counts(end.error)}; reported ${reported}`
    case "Interrupted":
      return `it is aborted; reported ${reported}`
    case "Defect":
      return "it fails with a defect"
  }
}

const requests = ({ journal }: MarkObservation): ReadonlyArray<Line> =>
  journal.flatMap(({ applied, at, endedAt, faults, number, outcome }) => [
    { at, text: `request ${number} arrives` },
    {
      at: endedAt ?? at,
      text:
        `request ${number} ends, ${applied ? "applied" : "not applied"}: ${JSON.stringify(outcome)}` +
        (faults.length === 0 ? "" : ` (${faults.join("; ")})`)
    }
  ])

/** The timeline, line by line; identical for every run. */
export const markTimeline = (observation: MarkObservation): ReadonlyArray<string> => {
  const { endedAt, scenario } = observation
  const { faults, ...work } = scenario
  const lines: ReadonlyArray<Line> = [...requests(observation), { at: endedAt, text: describeEnd(observation) }]
  return [
    `work ${JSON.stringify(work)}`,
    ...faults.map((plan) => `fault ${JSON.stringify(faultOf(plan))}`),
    ...lines
      .toSorted((one, other) => one.at - other.at)
      .map(({ at, text }) => `${String(at - start).padStart(7)} ms  ${text}`)
  ]
}
