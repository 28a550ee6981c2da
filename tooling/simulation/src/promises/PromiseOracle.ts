/**
 * Checks programs of the Promise client against every rule.
 */
import { inspect } from "node:util"
import * as Arr from "effect/Array"
import { CallAborted, ClientClosed, type MarkManyResult } from "@signalbox/sdk"
import { type AnyCall, conclusionOf, type JournalEntry } from "@signalbox/test-harness"
import { brokenRules, checkRules } from "@signalbox/test-harness/internal/check/CheckRules"
import type { CheckRun, MadeCall } from "@signalbox/test-harness/internal/check/CheckRun"
import { checkRunOf } from "../CallReport.ts"
import { wrongLeftovers } from "../FakeTime.ts"
import { type Finding, scenarioFinding, unless } from "../Finding.ts"
import { leakedSecrets, lateRequests, shownBy, tooConcurrent } from "../RecordingOracle.ts"
import { differingRecords } from "../SchemaReading.ts"
import { start } from "../VirtualTime.ts"
import { isOf } from "./KeyRotation.ts"
import { idOf, inputOf, type PromiseObservation, type ReceivedOutcome, secretsOf, subscriberOf } from "./PromiseRun.ts"
import { idsIn, type SentResponse } from "./StateLoss.ts"

const requestsOf = ({ journal }: PromiseObservation, index: number): ReadonlyArray<JournalEntry> =>
  journal.filter(({ subscriberId }) => subscriberId === subscriberOf(index))

const isStopped = (error: unknown): error is CallAborted | ClientClosed =>
  error instanceof CallAborted || error instanceof ClientClosed

// In bulk work, announced waits do not count towards the deadline.
const inBulk = { startedAt: start, deadlineMs: Infinity }

const upsertOf = (observation: PromiseObservation, { at, index, result }: ReceivedOutcome): MadeCall => {
  const { mayHaveBeenApplied = false } = result.ok ? {} : result.error
  return {
    ...inBulk,
    // The providers of the programs are known.
    call: { operation: "credentials.upsert", ...inputOf(observation.scenario, index) } as AnyCall,
    endedAt: at,
    requests: requestsOf(observation, index),
    result: result.ok
      ? { outcome: "ok", ...(result.call.unreadable.length === 0 ? { records: [{ ...result.value }] } : {}) }
      : { outcome: mayHaveBeenApplied ? "unknown" : "failed" }
  }
}

/** The messages that a request marks. */
const idsOfRequest = ({ body, method }: JournalEntry): ReadonlyArray<string> =>
  // The journal keeps the body of a request, without its secrets; these have none.
  method === "GET" ? [] : (body as { readonly messageId: ReadonlyArray<string> }).messageId

/** The calls of `markManyAs`, each with the messages of one part. */
const marksOf = ({ endedAt, journal, marked }: PromiseObservation): ReadonlyArray<MadeCall> => {
  if (marked === undefined) return []
  const done = new Set(marked.report.done)
  const parts = Arr.groupBy(journal, (request) => idsOfRequest(request).join())
  return Object.values(parts).map((requests) => {
    const messageId = requests.slice(0, 1).flatMap(idsOfRequest)
    const outcome = messageId.every((id) => done.has(id)) ? "ok" : "unknown"
    const call = { operation: "messages.markAs", subscriberId: subscriberOf(0), messageId, markAs: "read" } as const
    return Object.assign({ call, endedAt, requests, result: { outcome } as const }, inBulk)
  })
}

/** The calls as a run of a check. */
const runOf = (observation: PromiseObservation): CheckRun =>
  checkRunOf({
    calls: [...observation.outcomes.map((outcome) => upsertOf(observation, outcome)), ...marksOf(observation)],
    records: observation.state,
    apiKey: observation.apiKey
  })

/** Findings about effects that are stored twice. Those that a service with keys lost before a retry do not count. */
const brokenTwice = (run: CheckRun, { lost, scenario }: PromiseObservation) => {
  const isKept = (request: JournalEntry) => !scenario.honoursKeys || !lost.has(request)
  const calls = run.calls.map((made) => ({ ...made, requests: made.requests.filter(isKept) }))
  return checkRules["effect-twice"].check({ ...run, calls }).map(({ message }) => `effect-twice: ${message}`)
}

/** The rules of a check that calls broke. */
const brokenByCalls = (observation: PromiseObservation): ReadonlyArray<string> => {
  const run = runOf(observation)
  const found = brokenRules(run).flatMap(({ message, rule }) => {
    const isAboutLost = observation.scenario.loss !== undefined && rule === "lost-after-ack"
    // Two short delays of one call are possible by chance.
    return rule === "no-backoff" || rule === "effect-twice" || isAboutLost ? [] : [`${rule}: ${message}`]
  })
  return [...found, ...brokenTwice(run, observation)]
}

const wrongStopped = (observation: PromiseObservation, { index, result }: ReceivedOutcome): ReadonlyArray<string> => {
  if (result.ok) return []
  const { error } = result
  const { abortReason, scenario } = observation
  const wasSent = isStopped(error) ? error.sent : error.attempts.length > 0
  const isAborted = error instanceof CallAborted
  return [
    ...unless(wasSent || !error.mayHaveBeenApplied, "reported that an unsent change may have been applied"),
    ...unless(
      wasSent || requestsOf(observation, index).length === 0,
      "reported that nothing was sent, but the service received a request"
    ),
    ...unless(!isAborted || error.cause === abortReason, "lost the reason of its abort"),
    ...unless(!isAborted || scenario.stop === "abort", "was aborted without an abort"),
    ...unless(!(error instanceof ClientClosed) || scenario.stop === "close", "was closed without a close")
  ]
}

const wrongOutcomes = (observation: PromiseObservation): ReadonlyArray<string> =>
  observation.outcomes.flatMap((outcome) =>
    wrongStopped(observation, outcome).map((message) => `input ${outcome.index} ${message}`)
  )

const wrongOrder = ({ outcomes, scenario, taken }: PromiseObservation): ReadonlyArray<string> => {
  const { concurrency = 4, order, work } = scenario
  const indexes = outcomes.map(({ index }) => index)
  const expected = Array.from({ length: taken.length }, (_, index) => index)
  const isOrdered = work === "upsertMany" && order === "input"
  const found = isOrdered ? indexes : indexes.toSorted((one, other) => one - other)
  const ahead = Math.max(0, ...taken.map(({ pending }) => pending))
  return [
    ...unless(found.join() === expected.join(), `returned the outcomes [${indexes.join()}] for ${taken.length} inputs`),
    ...unless(
      ahead < concurrency || work !== "upsertMany",
      `took an input while ${ahead} outcomes were missing, the limit is ${concurrency}`
    )
  ]
}

const wrongKeys = ({ journal, scenario }: PromiseObservation): ReadonlyArray<string> => {
  const owners = new Map<string, string>()
  return journal.flatMap(({ body, idempotencyKey, method, path }) => {
    if (method === "GET" || scenario.key === "off") return []
    if (idempotencyKey === undefined) return ["sent a write without a key"]
    const work = `${path} ${JSON.stringify(body)}`
    const owner = owners.get(idempotencyKey) ?? work
    owners.set(idempotencyKey, owner)
    return unless(owner === work, "used one key for two requests")
  })
}

const hasDrift = ({ scenario }: PromiseObservation): boolean => scenario.faults.some(({ kind }) => kind === "drift")

/** Whether a response is the whole JSON of a success. */
const isComplete = ({ status, text }: SentResponse): boolean => {
  try {
    JSON.parse(text())
    return status >= 200 && status < 300
  } catch {
    return false
  }
}

/** The records of what a program returned that no response has. */
const unlikeResponses = <Record extends { readonly _id?: string }>(
  records: ReadonlyArray<Record>,
  { sent }: PromiseObservation
): ReadonlyArray<string> =>
  differingRecords(
    records,
    sent
      .filter(isComplete)
      .map(({ path, text }) => [path.endsWith("/mark-as") ? "messages.markAs" : "events.list", text()])
  ).map(({ _id }) => `returned record ${_id} unlike the response`)

/** Without its data, a service accepts marks of messages that it does not have: only their absence shows that. */
const wrongMarksAfterLoss = (
  observation: PromiseObservation,
  { report: { done }, ...marked }: MarkManyResult
): ReadonlyArray<string> => {
  const accepted = new Set(
    observation.journal.filter((entry) => conclusionOf(entry).applied === "yes").flatMap(idsOfRequest)
  )
  const claimed = unless(
    done.every((id) => accepted.has(id)),
    "reported messages as done that the service did not accept"
  )
  if (!marked.ok || hasDrift(observation)) return claimed
  const { notReturned } = marked.value
  const returned = new Set(observation.sent.filter(isComplete).flatMap(idsIn))
  return [
    ...claimed,
    ...unless(!notReturned.some((id) => returned.has(id)), "reported returned messages as not returned"),
    ...unless(
      returned.size + notReturned.length >= done.length,
      "reported messages as returned that the service did not return"
    )
  ]
}

/** The report agrees with the value or the error. */
const isSameAsReport = (marked: MarkManyResult): boolean => {
  const { done, failed, notTried } = marked.report
  if (marked.ok) return failed.length + notTried.length === 0
  const { error } = marked
  return isStopped(error) || [error.done, error.failed, error.notTried].join(";") === [done, failed, notTried].join(";")
}

/** Every message comes back, or is reported as missing. */
const wrongMarked = (marked: MarkManyResult, observation: PromiseObservation): ReadonlyArray<string> => {
  if (!marked.ok) return []
  const { messages, notReturned } = marked.value
  const returned = new Set(messages.map(({ _id }) => _id ?? "no id"))
  return [
    ...unless(
      marked.report.done.every((id) => returned.has(id) || notReturned.includes(id)),
      "lost messages"
    ),
    ...unless(!notReturned.some((id) => returned.has(id)), "returned messages that it reports as missing"),
    ...unlikeResponses(messages, observation)
  ]
}

const wrongMarks = (observation: PromiseObservation): ReadonlyArray<string> => {
  const { journal, marked, read, scenario } = observation
  if (marked === undefined) return []
  const { done, failed, notTried } = marked.report
  const ids = Array.from({ length: scenario.count }, (_, index) => idOf(index))
  const requested = new Set(journal.flatMap(idsOfRequest))
  const isIn = (known: ReadonlySet<string>) => (id: string) => known.has(id)
  return [
    ...unless(
      [...done, ...failed, ...notTried].toSorted().join() === ids.toSorted().join(),
      "does not report every message exactly once"
    ),
    ...unless(isSameAsReport(marked), "reported something different from its outcome"),
    ...unless(!notTried.some(isIn(requested)), "reported messages as not tried that it requested"),
    ...unless(
      journal.every((request) => idsOfRequest(request).length <= 100),
      "requested more than 100 messages in one call"
    ),
    ...(scenario.loss === undefined
      ? unless(done.every(isIn(read)), "reported messages as done that are not read")
      : wrongMarksAfterLoss(observation, marked)),
    ...wrongMarked(marked, observation)
  ]
}

/**
 * Whether events that arrive during the walk may shift its pages by records that the client returned before: one client
 * removes them, but a client that resumes from a cursor does not know them.
 */
const mayShift = ({ scenario: { pages, work } }: PromiseObservation): boolean =>
  work === "pages" && pages.resumesAfter !== undefined && pages.arriving.length > 0

/** Records of the same time come in any order. */
const isInOrder = ({ existing, switches }: PromiseObservation, ids: ReadonlyArray<string>): boolean => {
  const direction = switches["list.order"] === "newest-first" ? -1 : 1
  const times = ids.flatMap((id) => existing.find((event) => event.id === id)?.createdAt ?? [])
  return times.every((time, index) => index === 0 || direction * (time - (times[index - 1] ?? time)) >= 0)
}

/** Later pages are pinned to one end in time, so that new events do not shift them. */
const wrongPins = ({ journal }: PromiseObservation): ReadonlyArray<string> => {
  const queries = journal.map(({ query }) => new URLSearchParams(query)).filter((query) => query.has("page"))
  const ends = new Set(queries.map((query) => query.get("before") ?? "nothing"))
  return unless(ends.size <= 1 && !ends.has("nothing"), `pinned its pages to ${[...ends].join(" and ")}`)
}

const wrongWalk = (observation: PromiseObservation): ReadonlyArray<string> => {
  const { end, existing, scenario, sent, walked } = observation
  if (scenario.work !== "walk" && scenario.work !== "pages") return []
  const records = walked.flatMap((page) => page.records)
  const values = unlikeResponses(records, observation)
  if (hasDrift(observation)) return values
  const ids = records.map(({ _id }) => _id ?? "no id")
  // Once the service has lost some records, those that it sent count.
  const expected = scenario.loss === undefined ? existing.map(({ id }) => id) : sent.filter(isComplete).flatMap(idsIn)
  const isWhole = end._tag === "Completed" && walked.length !== scenario.pages.stopsAfter
  return [
    ...values,
    ...wrongPins(observation),
    ...unless(mayShift(observation) || new Set(ids).size === ids.length, "returned a record twice"),
    ...unless(mayShift(observation) || isInOrder(observation, ids), "returned records out of order"),
    ...(isWhole ? expected.filter((id) => !ids.includes(id)) : []).map((id) => `completed without record ${id}`)
  ]
}

const wrongListings = (observation: PromiseObservation): ReadonlyArray<string> =>
  unless(
    hasDrift(observation) || observation.listed.every(({ ids, sent }) => ids.join() === sent.join()),
    "returned a listing that the service did not send"
  )

const reasonOf = (error: unknown): unknown => Reflect.get(Object(Reflect.get(Object(error), "reason")), "_tag")

/** A rejected key ends its call, and is the reason of no other one. */
const wrongRejections = (observation: PromiseObservation): ReadonlyArray<string> => {
  const { end, keys, marked, outcomes, scenario } = observation
  const attempts = new Map<string, number>()
  for (const { call } of keys.rejected) attempts.set(call, (attempts.get(call) ?? 0) + 1)
  const wrongOutcomes = outcomes.filter(({ index, result }) => {
    const wasRejected = keys.rejected.some((request) => isOf(subscriberOf(index), request))
    const isReported = !result.ok && reasonOf(result.error) === "Unauthorized"
    return wasRejected !== isReported
  })
  const wasRejected = keys.rejected.length > 0
  return [
    ...unless(
      [...attempts.values()].every((count) => count === 1),
      "retried a request whose key was rejected"
    ),
    ...wrongOutcomes.map(({ index }) => `input ${index} reported something different from the service about its key`),
    ...unless(
      scenario.work !== "walk" || wasRejected === (end._tag === "Threw" && reasonOf(end.error) === "Unauthorized"),
      "ended its walk in another way than with the rejected key"
    ),
    ...unless(!wasRejected || marked?.ok !== true, "reported success although its key was rejected")
  ]
}

const wrongRotation = (observation: PromiseObservation): ReadonlyArray<string> => {
  const { mixed, outdated } = observation.keys
  if (observation.scenario.rotation === undefined) return []
  return [
    ...unless(mixed === 0, "changed the key within a call"),
    ...unless(outdated === 0, "started calls with a key that its caller had replaced"),
    ...wrongRejections(observation)
  ]
}

const wrongStop = (observation: PromiseObservation): ReadonlyArray<string> => {
  const { abortReason, end, endedAt, journal, outcomes, scenario, stoppedAt } = observation
  if (stoppedAt === undefined) return []
  const late = journal.filter(({ at }) => at - scenario.ahead > stoppedAt).length
  const after = outcomes.filter(({ at }) => at >= stoppedAt).length
  // The consumer of an ordered walk or batch finishes its own work first.
  const limit = stoppedAt + scenario.pause * (after + 1)
  const threw = end._tag === "Threw" ? end.error : undefined
  return [
    ...unless(late === 0, `sent ${late} requests after its ${scenario.stop}`),
    ...unless(endedAt <= limit, `ended ${endedAt - limit} ms after its ${scenario.stop}`),
    ...unless(
      threw === undefined || threw === abortReason || scenario.stop === "close" || hasFailure(threw),
      `threw ${inspect(threw)} after an abort`
    )
  ]
}

/** Whether a walk was stopped, or failed by itself before. */
const hasFailure = (error: unknown): boolean => error instanceof Error && "_tag" in error

const leaks = (observation: PromiseObservation): ReadonlyArray<string> => {
  const { end, marked, outcomes, reports } = observation
  const errors: ReadonlyArray<unknown> = [
    ...outcomes.flatMap(({ result }) => (result.ok ? [] : [result.error])),
    ...(marked === undefined || marked.ok ? [] : [marked.error]),
    ...(end._tag === "Threw" ? [end.error] : [])
  ]
  return leakedSecrets([...reports, shownBy(undefined, errors)].join("\n"), secretsOf(observation))
}

/** Every rule that a program of the Promise client broke. */
export const checkPromises = (observation: PromiseObservation): ReadonlyArray<Finding> => {
  const { isClosedForGood, journal, leftovers, scenario } = observation
  return [
    ...wrongOutcomes(observation),
    ...wrongOrder(observation),
    ...wrongKeys(observation),
    ...brokenByCalls(observation),
    ...wrongMarks(observation),
    ...wrongWalk(observation),
    ...wrongListings(observation),
    ...wrongRotation(observation),
    ...(scenario.work === "calls" ? [] : tooConcurrent(journal, scenario.concurrency ?? 4)),
    ...wrongStop(observation),
    ...unless(isClosedForGood, "accepted a call after close()"),
    ...lateRequests(observation, scenario.ahead),
    ...wrongLeftovers(leftovers),
    ...leaks(observation)
  ].map(scenarioFinding)
}
