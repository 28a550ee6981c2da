/**
 * A walk for human readers.
 */
import { faultLines, inOrderOfTime, type Line, requestLines } from "../Timeline.ts"
import { start } from "../VirtualTime.ts"
import type { WalkObservation } from "./WalkRun.ts"

const describeEnd = ({ end, isComplete }: WalkObservation): string => {
  if (end._tag === "Error") return `the walk fails: ${end.error.message}`
  if (end._tag === "Defect") return "the walk fails with a defect"
  return isComplete ? "the walk completes" : "the consumer stops"
}

/** The timeline of a walk, line by line; identical for every run of it. */
export const walkTimeline = (observation: WalkObservation): ReadonlyArray<string> => {
  const { endedAt, existing, pages, scenario } = observation
  const { ahead, arriving, faults, preset, seed, ...walk } = scenario
  const lines: ReadonlyArray<Line> = [
    ...existing.map(({ createdAt, id }) => ({ at: createdAt - ahead, text: `event ${id}` })),
    ...arriving.map((at, index) => ({ at: start + at, text: `event a${String(index).padStart(23, "0")} arrives` })),
    ...requestLines(observation.journal, ahead),
    ...pages.map(({ at, ids }) => ({ at, text: `the consumer receives ${ids.join(", ")}` })),
    { at: endedAt, text: describeEnd(observation) }
  ]
  return [
    `preset ${preset === "seeded" ? `seeded(${seed})` : preset}, seed ${seed}, service ${ahead} ms ahead`,
    `walk ${JSON.stringify({ ...walk, existing: existing.length })}`,
    ...faultLines(faults),
    ...inOrderOfTime(lines)
  ]
}
