/**
 * Timelines for human readers: the events of a scenario, in order of time.
 */
import type { JournalEntry } from "@signalbox/test-harness"
import type { Family, Line, Observed } from "./Family.ts"
import { faultOf } from "./FaultPlan.ts"
import { start } from "./VirtualTime.ts"
import { callHeader } from "./Watch.ts"

const effectOf = ({ applied, method, replayed }: JournalEntry): string =>
  method === "GET" ? "" : applied ? ", applied" : replayed ? ", replayed" : ", not applied"

const nameOf = ({ headers, number }: JournalEntry): string =>
  `${headers[callHeader] === undefined ? "" : `call ${headers[callHeader]}: `}request ${number}`

/** When each request arrives and ends; the clock of the service is `ahead` milliseconds ahead. */
export const requestLines = (journal: ReadonlyArray<JournalEntry>, ahead = 0): ReadonlyArray<Line> =>
  journal.flatMap((entry) => {
    const { at, endedAt = at, faults, outcome, path, query, responseHeaders } = entry
    const hint = responseHeaders["retry-after"]
    const details = `${hint === undefined ? "" : `, retry after ${hint}`}${faults.map((fault) => `, ${fault}`).join("")}`
    return [
      { at: at - ahead, text: `${nameOf(entry)} arrives: ${query === "" ? path : `${path}?${query}`}` },
      { at: endedAt - ahead, text: `${nameOf(entry)} ends${effectOf(entry)}: ${JSON.stringify(outcome)}${details}` }
    ]
  })

/** Random keys differ on every run. */
const randomKey = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/gu

/** A scenario and its events, in milliseconds since its start. */
export const timelineOf = <Observation extends Observed>(
  { lines }: Pick<Family<unknown, Observation>, "lines">,
  observation: Observation
): ReadonlyArray<string> => {
  const { faults, ...scenario } = observation.scenario
  return [
    JSON.stringify(scenario),
    ...faults.map((plan) => `fault ${JSON.stringify(faultOf(plan))}`),
    ...lines(observation)
      .toSorted((one, other) => one.at - other.at)
      .map(({ at, text }) => `${String(at - start).padStart(7)} ms  ${text.replaceAll(randomKey, "a random key")}`)
  ]
}
