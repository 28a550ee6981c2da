/**
 * A walk for human readers.
 */
import { faultOf } from "../FaultPlan.ts"
import { start } from "../VirtualTime.ts"
import type { WalkObservation } from "./WalkRun.ts"

interface Line {
  readonly at: number
  readonly text: string
}

const describeEnd = ({ end }: WalkObservation): string => {
  switch (end._tag) {
    case "Completed":
      return "the walk completes"
    case "Stopped":
      return "the consumer stops"
    case "Failed":
      return `the walk fails: ${end.error.message}`
    case "Died":
      return "the walk fails with a defect"
  }
}

const requests = ({ journal, scenario: { ahead } }: WalkObservation): ReadonlyArray<Line> =>
  journal.flatMap(({ at, endedAt, faults, number, query, outcome }) => [
    { at: at - ahead, text: `request ${number} arrives: ${query}` },
    {
      at: (endedAt ?? at) - ahead,
      text: `request ${number} ends: ${JSON.stringify(outcome)}${faults.length === 0 ? "" : ` (${faults.join("; ")})`}`
    }
  ])

/** The timeline of a walk, line by line; identical for every run of it. */
export const walkTimeline = (observation: WalkObservation): ReadonlyArray<string> => {
  const { endedAt, existing, pages, scenario } = observation
  const { ahead, arriving, faults, preset, seed, ...walk } = scenario
  const lines: ReadonlyArray<Line> = [
    ...existing.map(({ createdAt, id }) => ({ at: createdAt - ahead, text: `event ${id}` })),
    ...arriving.map((at, index) => ({ at: start + at, text: `event a${String(index).padStart(23, "0")} arrives` })),
    ...requests(observation),
    ...pages.map(({ at, ids }) => ({ at, text: `the consumer receives ${ids.join(", ")}` })),
    { at: endedAt, text: describeEnd(observation) }
  ]
  return [
    `preset ${preset === "seeded" ? `seeded(${seed})` : preset}, seed ${seed}, service ${ahead} ms ahead`,
    `walk ${JSON.stringify({ ...walk, existing: existing.length })}`,
    ...faults.map((plan) => `fault ${JSON.stringify(faultOf(plan))}`),
    ...lines
      .toSorted((one, other) => one.at - other.at)
      .map(({ at, text }) => `${String(at - start).padStart(7)} ms  ${text}`)
  ]
}
