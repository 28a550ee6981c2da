/**
 * Timelines for human readers: the events of a scenario, in order of time.
 */
import type { JournalEntry } from "@signalbox/test-harness"
import { faultOf, type FaultPlan } from "./FaultPlan.ts"
import { start } from "./VirtualTime.ts"

/** Something that happened, in milliseconds since 1970. */
export interface Line {
  readonly at: number
  readonly text: string
}

/** The faults that a request met, at the end of its line. */
export const metFaults = ({ faults }: JournalEntry): string => (faults.length === 0 ? "" : ` (${faults.join("; ")})`)

const effectOf = ({ applied, method, replayed }: JournalEntry): string =>
  method === "GET" ? "" : applied ? ", applied" : replayed ? ", replayed" : ", not applied"

/** When each request arrives and ends; the clock of the service is `ahead` milliseconds ahead. */
export const requestLines = (journal: ReadonlyArray<JournalEntry>, ahead = 0): ReadonlyArray<Line> =>
  journal.flatMap((entry) => {
    const { at, endedAt = at, number, outcome, path, query } = entry
    return [
      { at: at - ahead, text: `request ${number} arrives: ${query === "" ? path : `${path}?${query}`}` },
      {
        at: endedAt - ahead,
        text: `request ${number} ends${effectOf(entry)}: ${JSON.stringify(outcome)}${metFaults(entry)}`
      }
    ]
  })

/** The faults of a scenario, one line each. */
export const faultLines = (faults: ReadonlyArray<FaultPlan>): ReadonlyArray<string> =>
  faults.map((plan) => `fault ${JSON.stringify(faultOf(plan))}`)

/** Lines in order of time, in milliseconds since the start of the scenario. */
export const inOrderOfTime = (lines: ReadonlyArray<Line>): ReadonlyArray<string> =>
  lines
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, text }) => `${String(at - start).padStart(7)} ms  ${text}`)
