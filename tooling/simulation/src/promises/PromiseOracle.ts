/**
 * Checks programs of the Promise client against every rule.
 */
import { inspect } from "node:util"
import { CallAborted, ClientClosed } from "@signalbox/sdk"
import { type AnyCall, conclusionOf, type JournalEntry } from "@signalbox/test-harness"
import { brokenRules, checkRules } from "@signalbox/test-harness/internal/check/CheckRules"
import type { CheckRun, MadeCall } from "@signalbox/test-harness/internal/check/CheckRun"
import { type Finding, scenarioFinding } from "../Finding.ts"
import { tooConcurrent } from "../RecordingOracle.ts"
import { isOf } from "./KeyRotation.ts"
import { start } from "../VirtualTime.ts"
import { idOf, inputOf, type PromiseObservation, type ReceivedOutcome, secretsOf, subscriberOf } from "./PromiseRun.ts"
import { idsIn, type SentResponse } from "./StateLoss.ts"

const requestsOf = ({ journal }: PromiseObservation, index: number): ReadonlyArray<JournalEntry> =>
  journal.filter(({ subscriberId }) => subscriberId === subscriberOf(index))

const isStopped = (error: unknown): error is CallAborted | ClientClosed =>
  error instanceof CallAborted || error instanceof ClientClosed

const madeCall = (observation: PromiseObservation, { at, index, result }: ReceivedOutcome): MadeCall => {
  const { scenario } = observation
  const { mayHaveBeenApplied = false } = result.ok ? {} : result.error
  return {
    // The providers of the programs are known.
    call: { operation: "credentials.upsert", ...inputOf(scenario, index) } as AnyCall,
    startedAt: start,
    endedAt: at,
    // In bulk work, announced waits do not count towards the deadline.
    deadlineMs: Infinity,
    requests: requestsOf(observation, index),
    result: result.ok
      ? { outcome: "ok", ...(result.call.unreadable.length === 0 ? { records: [{ ...result.value }] } : {}) }
      : { outcome: mayHaveBeenApplied ? "unknown" : "failed" }
  }
}

/** The upserts as a run of a check. */
const runOf = (observation: PromiseObservation): CheckRun => {
  const { apiKey, outcomes, state } = observation
  return {
    calls: outcomes.map((outcome) => madeCall(observation, outcome)),
    isConcurrent: false,
    unmatchedRequests: 0,
    records: state,
    output: "",
    apiKey,
    vendor: "service",
    timersLeft: 0,
    toleranceMs: 0,
    keepsContract: false,
    timeline: ""
  }
}

/** Findings about effects that are stored twice. Those that a service with keys lost before a retry do not count. */
const brokenTwice = (run: CheckRun, { lost, scenario }: PromiseObservation) => {
  const isKept = (request: JournalEntry) => !scenario.honoursKeys || !lost.has(request)
  const calls = run.calls.map((made) => ({ ...made, requests: made.requests.filter(isKept) }))
  return checkRules["effect-twice"].check({ ...run, calls }).map(({ message }) => `effect-twice: ${message}`)
}

/** The rules of a check that upserts broke. */
const brokenByUpserts = (observation: PromiseObservation): ReadonlyArray<string> => {
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
  const wasSent = isStopped(error) ? error.sent : error.attempts.length > 0
  return [
    ...(error.mayHaveBeenApplied && !wasSent ? ["reported that an unsent change may have been applied"] : []),
    ...(!wasSent && requestsOf(observation, index).length > 0
      ? ["reported that nothing was sent, but the service received a request"]
      : []),
    ...(error instanceof CallAborted && error.cause !== observation.abortReason
      ? ["lost the reason of its abort"]
      : []),
    ...(error instanceof CallAborted && observation.scenario.stop !== "abort" ? ["was aborted without an abort"] : []),
    ...(error instanceof ClientClosed && observation.scenario.stop !== "close" ? ["was closed without a close"] : [])
  ]
}

const wrongOutcomes = (observation: PromiseObservation): ReadonlyArray<string> =>
  observation.outcomes.flatMap((outcome) =>
    wrongStopped(observation, outcome).map((message) => `input ${outcome.index} ${message}`)
  )

const wrongOrder = ({ outcomes, scenario, taken }: PromiseObservation): ReadonlyArray<string> => {
  if (scenario.work === "markManyAs" || scenario.work === "walk") return []
  const indexes = outcomes.map(({ index }) => index)
  const expected = Array.from({ length: taken.length }, (_, index) => index)
  const isOrdered = scenario.work === "upsertMany" && scenario.order === "input"
  const found = isOrdered ? indexes : indexes.toSorted((one, other) => one - other)
  const ahead = Math.max(0, ...taken.map(({ pending }) => pending))
  return [
    ...(found.join() === expected.join()
      ? []
      : [`returned the outcomes [${indexes.join()}] for ${taken.length} inputs`]),
    ...(ahead >= scenario.concurrency && scenario.work === "upsertMany"
      ? [`took an input while ${ahead} outcomes were missing, the limit is ${scenario.concurrency}`]
      : [])
  ]
}

const wrongKeys = ({ journal }: PromiseObservation): ReadonlyArray<string> => {
  const owners = new Map<string, string>()
  return journal.flatMap(({ body, idempotencyKey, method, path }) => {
    if (method === "GET") return []
    if (idempotencyKey === undefined) return ["sent a write without a key"]
    const work = `${path} ${JSON.stringify(body)}`
    const owner = owners.get(idempotencyKey) ?? work
    owners.set(idempotencyKey, owner)
    return owner === work ? [] : ["used one key for two requests"]
  })
}

const hasDrift = ({ scenario }: PromiseObservation): boolean => scenario.faults.some(({ kind }) => kind === "drift")

const idsOfRequest = ({ body }: JournalEntry): ReadonlyArray<string> =>
  // The journal keeps the body of a request, without its secrets; these have none.
  (body as { readonly messageId: ReadonlyArray<string> }).messageId

/** Without its data, a service accepts marks of messages that it does not have: only their absence shows that. */
const wrongMarksAfterLoss = (observation: PromiseObservation): ReadonlyArray<string> => {
  const { journal, marked, sent } = observation
  if (marked === undefined) return []
  const accepted = new Set(journal.filter((entry) => conclusionOf(entry).applied === "yes").flatMap(idsOfRequest))
  const returned = new Set(marked.ok && !hasDrift(observation) ? sent.filter(isComplete).flatMap(idsIn) : [])
  return [
    ...(marked.report.done.every((id) => accepted.has(id))
      ? []
      : ["reported messages as done that the service did not accept"]),
    ...(marked.ok && !hasDrift(observation) && marked.value.notReturned.some((id) => returned.has(id))
      ? ["reported returned messages as not returned"]
      : []),
    ...(marked.ok &&
    !hasDrift(observation) &&
    returned.size + marked.value.notReturned.length < marked.report.done.length
      ? ["reported messages as returned that the service did not return"]
      : [])
  ]
}

const wrongMarks = (observation: PromiseObservation): ReadonlyArray<string> => {
  const { journal, marked, read, scenario } = observation
  if (scenario.work !== "markManyAs" || marked === undefined) return []
  const { done, failed, notTried } = marked.report
  const ids = Array.from({ length: scenario.count }, (_, index) => idOf(index))
  const reported = [...done, ...failed, ...notTried].toSorted().join()
  return [
    ...(reported === ids.toSorted().join() ? [] : ["does not report every message exactly once"]),
    ...(scenario.loss === undefined
      ? done.every((id) => read.has(id))
        ? []
        : ["reported messages as done that are not read"]
      : wrongMarksAfterLoss(observation)),
    ...(notTried.length > 0 && journal.length > 0 && done.length + failed.length === 0
      ? ["reported all messages as not tried although it sent a request"]
      : [])
  ]
}

/** Whether a response is the whole JSON of a success. */
const isComplete = ({ status, text }: SentResponse): boolean => {
  try {
    JSON.parse(text())
    return status >= 200 && status < 300
  } catch {
    return false
  }
}

/** The records that a walk must return: those that exist or, once the service has lost some, those that it sent. */
const recordsOf = ({ scenario, sent }: PromiseObservation): ReadonlyArray<string> =>
  scenario.loss === undefined
    ? Array.from({ length: scenario.count }, (_, index) => idOf(index))
    : sent.filter(isComplete).flatMap(idsIn)

const wrongWalk = (observation: PromiseObservation): ReadonlyArray<string> => {
  const { end, scenario, walked } = observation
  if (scenario.work !== "walk" || hasDrift(observation)) return []
  const records = recordsOf(observation)
  return [
    ...(new Set(walked).size === walked.length ? [] : ["returned a record twice"]),
    ...(walked.every((id) => records.includes(id)) ? [] : ["returned a record that the service did not send"]),
    ...(end._tag === "Completed" && records.some((id) => !walked.includes(id))
      ? ["completed without every record"]
      : [])
  ]
}

const wrongListings = (observation: PromiseObservation): ReadonlyArray<string> =>
  hasDrift(observation) || observation.listed.every(({ ids, sent }) => ids.join() === sent.join())
    ? []
    : ["returned a listing that the service did not send"]

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
    ...([...attempts.values()].some((count) => count > 1) ? ["retried a request whose key was rejected"] : []),
    ...wrongOutcomes.map(({ index }) => `input ${index} reported something different from the service about its key`),
    ...(scenario.work === "walk" && wasRejected !== (end._tag === "Threw" && reasonOf(end.error) === "Unauthorized")
      ? ["ended its walk in another way than with the rejected key"]
      : []),
    ...(scenario.work === "markManyAs" && wasRejected && marked?.ok !== false
      ? ["reported success although its key was rejected"]
      : [])
  ]
}

const wrongRotation = (observation: PromiseObservation): ReadonlyArray<string> => {
  const { mixed, outdated } = observation.keys
  if (observation.scenario.rotation === undefined) return []
  return [
    ...(mixed > 0 ? ["changed the key within a call"] : []),
    ...(outdated > 0 ? ["started calls with a key that its caller had replaced"] : []),
    ...wrongRejections(observation)
  ]
}

const wrongStop = (observation: PromiseObservation): ReadonlyArray<string> => {
  const { abortReason, end, endedAt, journal, outcomes, scenario, stoppedAt } = observation
  if (stoppedAt === undefined) return []
  const late = journal.filter(({ at }) => at > stoppedAt).length
  const after = outcomes.filter(({ at }) => at >= stoppedAt).length
  // The consumer of an ordered walk or batch finishes its own work first.
  const limit = stoppedAt + scenario.pause * (after + 1)
  const threw = end._tag === "Threw" ? end.error : undefined
  return [
    ...(late === 0 ? [] : [`sent ${late} requests after its ${scenario.stop}`]),
    ...(endedAt <= limit ? [] : [`ended ${endedAt - limit} ms after its ${scenario.stop}`]),
    ...(threw === undefined ||
    threw === abortReason ||
    isStopped(threw) ||
    scenario.stop === "close" ||
    hasFailure(threw)
      ? []
      : [`threw ${inspect(threw)} after an abort`])
  ]
}

/** Whether a walk failed by itself before it could be stopped. */
const hasFailure = (error: unknown): boolean => error instanceof Error && "_tag" in error

const leaks = (observation: PromiseObservation): ReadonlyArray<string> => {
  const { end, leftovers, marked, outcomes, reports } = observation
  const errors: ReadonlyArray<unknown> = [
    ...outcomes.flatMap(({ result }) => (result.ok ? [] : [result.error])),
    ...(marked === undefined || marked.ok ? [] : [marked.error]),
    ...(end._tag === "Threw" ? [end.error] : [])
  ]
  const shown = [
    ...reports,
    ...errors.flatMap((error) => [inspect(error, { depth: 9 }), JSON.stringify(error) ?? "", String(error)])
  ].join("\n")
  return [
    ...(leftovers.isSettled ? [] : ["never ended"]),
    ...(leftovers.timers > 0 ? [`left ${leftovers.timers} timers running`] : []),
    ...(leftovers.rejections > 0 ? [`left ${leftovers.rejections} rejections unhandled`] : []),
    ...(secretsOf(observation).some((secret) => shown.includes(secret))
      ? ["shows a secret in its reports or errors"]
      : [])
  ]
}

/** Every rule that a program of the Promise client broke. */
export const checkPromises = (observation: PromiseObservation): ReadonlyArray<Finding> =>
  [
    ...wrongOutcomes(observation),
    ...wrongOrder(observation),
    ...wrongKeys(observation),
    ...brokenByUpserts(observation),
    ...wrongMarks(observation),
    ...wrongWalk(observation),
    ...wrongListings(observation),
    ...wrongRotation(observation),
    ...(observation.scenario.work === "calls"
      ? []
      : tooConcurrent(observation.journal, observation.scenario.concurrency)),
    ...wrongStop(observation),
    ...(observation.isClosedForGood ? [] : ["accepted a call after close()"]),
    ...leaks(observation)
  ].map(scenarioFinding)
