/**
 * Checks `markManyAs` against every rule.
 */
import type { JournalEntry } from "@signalbox/test-harness"
import { type Finding, scenarioFinding } from "../Finding.ts"
import { tooConcurrent, wrongWork } from "../RecordingOracle.ts"
import { differingRecords } from "../SchemaReading.ts"
import type { MarkObservation, MarkReport } from "./MarkRun.ts"

const idsIn = ({ body }: JournalEntry): ReadonlyArray<string> =>
  // The journal keeps the body of a request, without its secrets; these have none.
  (body as { readonly messageId: ReadonlyArray<string> }).messageId

/** The outcome of each message: from the value, the error, or after an abort the report. */
const outcomeOf = ({ end, ids, reports }: MarkObservation): MarkReport | undefined => {
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

const wrongOutcome = (observation: MarkObservation): ReadonlyArray<string> => {
  const { end, ids, reports } = observation
  const outcome = outcomeOf(observation)
  if (outcome === undefined) return end._tag === "Defect" ? [] : ["ended without a report"]
  const reported = [...outcome.done, ...outcome.failed, ...outcome.notTried]
  const [report] = reports
  const sameAsReport = (["done", "failed", "notTried"] as const).every(
    (group) => report?.[group].join() === outcome[group].join()
  )
  return [
    ...(reports.length === 1 ? [] : [`reported ${reports.length} times`]),
    ...(sameAsReport ? [] : ["reported something different from its outcome"]),
    ...(reported.toSorted().join() === ids.toSorted().join() ? [] : ["does not report every message exactly once"])
  ]
}

const wrongGroups = (observation: MarkObservation): ReadonlyArray<string> => {
  const { journal, read } = observation
  const outcome = outcomeOf(observation)
  if (outcome === undefined) return []
  const requested = new Set(journal.flatMap(idsIn))
  const count = (ids: ReadonlyArray<string>, rule: string) =>
    ids.length === 0 ? [] : [`${ids.length} messages ${rule}`]
  return [
    ...count(
      outcome.done.filter((id) => !read.has(id)),
      "are reported done but are not read"
    ),
    ...count(
      outcome.notTried.filter((id) => requested.has(id)),
      "are reported as not tried but were requested"
    ),
    ...count(
      outcome.notTried.filter((id) => read.has(id)),
      "are reported as not tried but are read"
    )
  ]
}

/** Every message comes back, or is reported as missing. */
const wrongValue = ({ end, ids, recording }: MarkObservation): ReadonlyArray<string> => {
  if (end._tag !== "Value") return []
  const { messages, notReturned } = end.value
  const returned = messages.map(({ _id }) => _id ?? "no id")
  const known = new Set([...returned, ...notReturned])
  return [
    ...(ids.every((id) => known.has(id)) ? [] : ["lost messages"]),
    ...(notReturned.some((id) => returned.includes(id)) ? ["returned messages that it reports as missing"] : []),
    ...differingRecords(messages, recording).map(({ _id }) => `returned message ${_id} unlike the response`)
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
    ...(journal.some((request) => idsIn(request).length > 100) ? ["requested more than 100 messages in one call"] : []),
    ...([...keys.values()].some((known) => known.size > 1) ? ["retried a part with a different key"] : []),
    ...(scenario.key !== "off" && new Set(all).size < all.length ? ["used one key for two parts"] : [])
  ]
}

/** Every rule that `markManyAs` broke. */
export const checkMarks = (observation: MarkObservation): ReadonlyArray<Finding> =>
  [
    ...wrongOutcome(observation),
    ...wrongGroups(observation),
    ...wrongValue(observation),
    ...wrongParts(observation),
    ...tooConcurrent(observation.journal, observation.scenario.concurrency ?? 4),
    ...wrongWork(observation)
  ].map(scenarioFinding)
