/**
 * Judges what was seen of a walk.
 */
import { complainOfAll, type Complaint } from "../Complaint.ts"
import type { WalkObservation } from "./WalkRun.ts"

const twice = (ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `gave record ${id} twice`)

const missing = ({ end, existing }: WalkObservation, ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  end._tag === "Completed"
    ? existing.filter(({ id }) => !ids.includes(id)).map(({ id }) => `completed without record ${id}`)
    : []

/** Records of one time come in any order; those that arrive meanwhile come where they fit. */
const disorder = ({ existing, switches }: WalkObservation, ids: ReadonlyArray<string>): ReadonlyArray<string> => {
  const direction = switches["list.order"] === "newest-first" ? 1 : -1
  const times = ids.flatMap((id) => existing.find((event) => event.id === id)?.createdAt ?? [])
  const isOut = times.some((time, index) => index > 0 && direction * (time - (times[index - 1] ?? time)) > 0)
  return isOut ? ["gave records out of order"] : []
}

const leftovers = ({ endedAt, journal, leftBehind, scenario }: WalkObservation): ReadonlyArray<string> => {
  const { exchanges, timers } = leftBehind
  return [
    ...(timers > 0 ? [`left ${timers} timers behind`] : []),
    ...(exchanges > 0 ? [`left ${exchanges} exchanges open`] : []),
    ...journal.flatMap(({ at, number, told }) => [
      ...(at - scenario.ahead > endedAt ? [`sent request ${number} when it was over`] : []),
      ...(told._tag === "Pending" ? [`request ${number} is still on its way`] : [])
    ])
  ]
}

const isFirstPage = (query: string): boolean => !new URLSearchParams(query).has("page")

/** Later pages are pinned to one end in time, so that what arrives does not shift them. */
const pins = ({ journal }: WalkObservation): ReadonlyArray<string> => {
  const ends = new Set(
    journal
      .filter(({ query }) => !isFirstPage(query))
      .map(({ query }) => new URLSearchParams(query).get("before") ?? "nothing")
  )
  return ends.size > 1 || ends.has("nothing") ? [`pinned its pages to ${[...ends].join(" and ")}`] : []
}

/** All complaints about a walk; none when everything agrees. */
export const judgeWalk = (observation: WalkObservation): ReadonlyArray<Complaint> => {
  const ids = observation.pages.flatMap((page) => page.ids)
  return [
    ...twice(ids),
    ...missing(observation, ids),
    ...disorder(observation, ids),
    ...pins(observation),
    ...leftovers(observation),
    ...(observation.end._tag === "Died" ? ["died of a defect"] : [])
  ].map(complainOfAll)
}
