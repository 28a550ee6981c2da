/**
 * Judges what was seen of marking many messages.
 */
import type { JournalEntry } from "@signalbox/test-harness"
import { complainOfAll, type Complaint } from "../Complaint.ts"
import type { Fates, MarkObservation } from "./MarkRun.ts"

const idsIn = ({ body }: JournalEntry): ReadonlyArray<string> =>
  // The journal keeps the body of a request as the client wrote it, secrets excepted.
  (body as { readonly messageId: ReadonlyArray<string> }).messageId

/** What the caller was told of every message, from wherever it was told. */
const fatesOf = ({ end, ids, reports }: MarkObservation): Fates | undefined => {
  switch (end._tag) {
    case "Value":
      return { done: ids, failed: [], notTried: [] }
    case "Error":
      return end.error
    case "Interrupted":
      return reports[0]
    case "Defect":
      return undefined
  }
}

const wrongReports = (observation: MarkObservation): ReadonlyArray<string> => {
  const { ids, reports } = observation
  const fates = fatesOf(observation)
  if (fates === undefined) return ["died of a defect, or told nothing"]
  const told = [...fates.done, ...fates.failed, ...fates.notTried]
  const [report] = reports
  const sameAsReport = (["done", "failed", "notTried"] as const).every(
    (fate) => report?.[fate].join() === fates[fate].join()
  )
  return [
    ...(reports.length === 1 ? [] : [`reported ${reports.length} times`]),
    ...(sameAsReport ? [] : ["reported something else than it told"]),
    ...(told.toSorted().join() === ids.toSorted().join() ? [] : ["does not tell of every message exactly once"])
  ]
}

const wrongFates = (observation: MarkObservation): ReadonlyArray<string> => {
  const { journal, read } = observation
  const fates = fatesOf(observation)
  if (fates === undefined) return []
  const asked = new Set(journal.flatMap(idsIn))
  const count = (ids: ReadonlyArray<string>, what: string) =>
    ids.length === 0 ? [] : [`${ids.length} messages ${what}`]
  return [
    ...count(
      fates.done.filter((id) => !read.has(id)),
      "are done, and not read"
    ),
    ...count(
      fates.notTried.filter((id) => asked.has(id)),
      "were not tried, and asked for"
    ),
    ...count(
      fates.notTried.filter((id) => read.has(id)),
      "were not tried, and are read"
    )
  ]
}

/** A fault may have taken messages out of an answer; otherwise all come back. */
const wrongValue = ({ end, ids, journal }: MarkObservation): ReadonlyArray<string> => {
  if (end._tag !== "Value") return []
  const { notReturned, returned } = end
  const all = [...new Set([...returned, ...notReturned])]
  return [
    ...(all.length === ids.length || journal.some(({ faults }) => faults.length > 0) ? [] : ["loses messages"]),
    ...(notReturned.some((id) => returned.includes(id)) ? ["was given messages that are said to be missing"] : [])
  ]
}

const wrongParts = ({ journal, scenario }: MarkObservation): ReadonlyArray<string> => {
  const keys = new Map<string, Set<string | undefined>>()
  for (const request of journal) {
    const part = idsIn(request).join()
    keys.set(part, (keys.get(part) ?? new Set()).add(request.idempotencyKey))
  }
  const all = [...keys.values()].flatMap((known) => Array.from(known))
  return [
    ...(journal.some((request) => idsIn(request).length > 100) ? ["asks for more than 100 messages at once"] : []),
    ...([...keys.values()].some((known) => known.size > 1) ? ["repeats a part with another key"] : []),
    ...(scenario.key !== "off" && new Set(all).size < all.length ? ["uses a key for two parts"] : [])
  ]
}

const crowds = ({ journal, scenario: { concurrency = 4 } }: MarkObservation): ReadonlyArray<string> => {
  const most = Math.max(
    0,
    ...journal.map(({ at }) => journal.filter((other) => other.at <= at && at < (other.endedAt ?? Infinity)).length)
  )
  return most > concurrency ? [`makes ${most} calls at the same time`] : []
}

const leftovers = ({ endedAt, journal, leftBehind }: MarkObservation): ReadonlyArray<string> => {
  const { exchanges, timers } = leftBehind
  return [
    ...(timers > 0 ? [`left ${timers} timers behind`] : []),
    ...(exchanges > 0 ? [`left ${exchanges} exchanges open`] : []),
    ...journal.flatMap(({ at, number, told }) => [
      ...(at > endedAt ? [`sent request ${number} when it was over`] : []),
      ...(told._tag === "Pending" ? [`request ${number} is still on its way`] : [])
    ])
  ]
}

/** All complaints about marking many messages; none when everything agrees. */
export const judgeMarks = (observation: MarkObservation): ReadonlyArray<Complaint> =>
  [
    ...wrongReports(observation),
    ...wrongFates(observation),
    ...wrongValue(observation),
    ...wrongParts(observation),
    ...crowds(observation),
    ...leftovers(observation)
  ].map(complainOfAll)
