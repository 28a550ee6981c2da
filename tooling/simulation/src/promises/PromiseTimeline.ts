/**
 * A program of the Promise client for human readers.
 */
import { faultOf } from "../FaultPlan.ts"
import { start } from "../VirtualTime.ts"
import type { PromiseObservation, ReceivedOutcome } from "./PromiseRun.ts"

interface Line {
  readonly at: number
  readonly text: string
}

const outcomeOf = ({ result }: ReceivedOutcome): string => (result.ok ? "succeeds" : `fails: ${result.error.message}`)

const requests = ({ journal }: PromiseObservation): ReadonlyArray<Line> =>
  journal.flatMap(({ applied, at, endedAt, faults, number, path, outcome }) => [
    { at, text: `request ${number} arrives: ${path}` },
    {
      at: endedAt ?? at,
      text:
        `request ${number} ends, ${applied ? "applied" : "not applied"}: ${JSON.stringify(outcome)}` +
        (faults.length === 0 ? "" : ` (${faults.join("; ")})`)
    }
  ])

/** The timeline, line by line; identical for every run. */
export const promiseTimeline = (observation: PromiseObservation): ReadonlyArray<string> => {
  const { end, endedAt, leftovers, marked, outcomes, scenario, stoppedAt, walked } = observation
  const { faults, ...program } = scenario
  const lines: ReadonlyArray<Line> = [
    ...requests(observation),
    ...outcomes.map((outcome) => ({ at: outcome.at, text: `input ${outcome.index} ${outcomeOf(outcome)}` })),
    ...(stoppedAt === undefined ? [] : [{ at: stoppedAt, text: `the caller calls ${scenario.stop}` }]),
    {
      at: endedAt,
      text:
        (end._tag === "Threw" ? `the program throws ${String(end.error)}` : "the program completes") +
        (walked.length === 0 ? "" : ` after ${walked.length} records`) +
        (marked === undefined
          ? ""
          : `: ${marked.report.done.length} done, ${marked.report.failed.length} failed, ${marked.report.notTried.length} not tried`)
    }
  ]
  return [
    `program ${JSON.stringify(program)}`,
    ...faults.map((plan) => `fault ${JSON.stringify(faultOf(plan))}`),
    ...lines
      .toSorted((one, other) => one.at - other.at)
      .map(({ at, text }) => `${String(at - start).padStart(7)} ms  ${text}`),
    `left ${JSON.stringify(leftovers)}`
  ]
}
