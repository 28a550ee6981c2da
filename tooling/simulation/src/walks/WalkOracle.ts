/**
 * Checks a walk over the event listing against every rule.
 */
import { scenarioFinding, type Finding } from "../Finding.ts"
import { wrongWork } from "../RecordingOracle.ts"
import { differingRecords } from "../SchemaReading.ts"
import type { WalkObservation } from "./WalkRun.ts"

/**
 * Whether events that arrive during the walk may shift its pages by records that the client returned before: one client
 * removes them, but a client that resumes from a cursor does not know them.
 */
const mayShift = ({ scenario }: WalkObservation): boolean =>
  scenario.resumesAfter !== undefined && scenario.arriving.length > 0

const duplicates = (observation: WalkObservation, ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  mayShift(observation)
    ? []
    : ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `returned record ${id} twice`)

const missing = ({ existing, isComplete }: WalkObservation, ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  isComplete ? existing.filter(({ id }) => !ids.includes(id)).map(({ id }) => `completed without record ${id}`) : []

/** Records of the same time come in any order. */
const disorder = (observation: WalkObservation, ids: ReadonlyArray<string>): ReadonlyArray<string> => {
  const { existing, switches } = observation
  if (mayShift(observation)) return []
  const direction = switches["list.order"] === "newest-first" ? 1 : -1
  const times = ids.flatMap((id) => existing.find((event) => event.id === id)?.createdAt ?? [])
  const isOut = times.some((time, index) => index > 0 && direction * (time - (times[index - 1] ?? time)) > 0)
  return isOut ? ["returned records out of order"] : []
}

const isFirstPage = (query: string): boolean => !new URLSearchParams(query).has("page")

/** Later pages are pinned to one end in time, so that new events do not shift them. */
const pins = ({ journal }: WalkObservation): ReadonlyArray<string> => {
  const ends = new Set(
    journal
      .filter(({ query }) => !isFirstPage(query))
      .map(({ query }) => new URLSearchParams(query).get("before") ?? "nothing")
  )
  return ends.size > 1 || ends.has("nothing") ? [`pinned its pages to ${[...ends].join(" and ")}`] : []
}

/** Every rule that a walk broke. */
export const checkWalk = (observation: WalkObservation): ReadonlyArray<Finding> => {
  const ids = observation.pages.flatMap((page) => page.ids)
  const records = observation.pages.flatMap((page) => page.records)
  return [
    ...duplicates(observation, ids),
    ...missing(observation, ids),
    ...disorder(observation, ids),
    ...pins(observation),
    ...differingRecords(records, observation.recording).map(({ _id }) => `returned record ${_id} unlike the response`),
    ...wrongWork(observation, observation.scenario.ahead)
  ].map(scenarioFinding)
}
