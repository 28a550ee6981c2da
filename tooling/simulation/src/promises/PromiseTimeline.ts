/**
 * A program of the Promise client for human readers.
 */
import { faultLines, inOrderOfTime, type Line, requestLines } from "../Timeline.ts"
import type { PromiseObservation, ReceivedOutcome } from "./PromiseRun.ts"

const outcomeOf = ({ result }: ReceivedOutcome): string => (result.ok ? "succeeds" : `fails: ${result.error.message}`)

/** The timeline, line by line; identical for every run. */
export const promiseTimeline = (observation: PromiseObservation): ReadonlyArray<string> => {
  const { end, endedAt, leftovers, marked, outcomes, scenario, stoppedAt, walked } = observation
  const { faults, ...program } = scenario
  const lines: ReadonlyArray<Line> = [
    ...requestLines(observation.journal),
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
    ...faultLines(faults),
    ...inOrderOfTime(lines),
    `left ${JSON.stringify(leftovers)}`
  ]
}
