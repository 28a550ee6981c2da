/**
 * Checks programs of the Promise client against every rule.
 */
import { inspect } from "node:util"
import { CallAborted, ClientClosed } from "@signalbox/sdk"
import type { JournalEntry } from "@signalbox/test-harness"
import { type Finding, scenarioFinding } from "../Finding.ts"
import { idOf, type PromiseObservation, type ReceivedOutcome, secretsOf, subscriberOf, tokensOf } from "./PromiseRun.ts"

const requestsOf = ({ journal }: PromiseObservation, index: number): ReadonlyArray<JournalEntry> =>
  journal.filter(({ subscriberId }) => subscriberId === subscriberOf(index))

const isSuccess = ({ outcome }: JournalEntry): boolean =>
  outcome._tag === "Response" && outcome.status >= 200 && outcome.status < 300

const appliedBy = (requests: ReadonlyArray<JournalEntry>): number => requests.filter(({ applied }) => applied).length

const isStopped = (error: unknown): error is CallAborted | ClientClosed =>
  error instanceof CallAborted || error instanceof ClientClosed

const wrongOutcome = (observation: PromiseObservation, { index, result }: ReceivedOutcome): ReadonlyArray<string> => {
  const requests = requestsOf(observation, index)
  const applied = appliedBy(requests)
  const last = requests.at(-1)
  if (result.ok) {
    const stored = new Set((result.value.channels ?? []).flatMap(({ credentials }) => credentials.deviceTokens ?? []))
    const wanted = tokensOf(observation.scenario, index) ?? []
    return [
      ...(last !== undefined && isSuccess(last) && applied > 0
        ? []
        : ["succeeded although the change was not applied"]),
      ...(result.value.subscriberId === subscriberOf(index) || last?.faults.length !== 0
        ? []
        : ["returned a different subscriber"]),
      ...(wanted.every((token) => stored.has(token)) || last?.faults.length !== 0 || last.replayed
        ? []
        : ["returned a subscriber without its device tokens"])
    ]
  }
  const { error } = result
  const wasSent = isStopped(error) ? error.sent : error.attempts.length > 0
  return [
    ...(!error.mayHaveBeenApplied && applied > 0
      ? ["reported that nothing was applied, but the service applied it"]
      : []),
    ...(error.mayHaveBeenApplied && !wasSent ? ["reported that an unsent change may have been applied"] : []),
    ...(!wasSent && requests.length > 0 ? ["reported that nothing was sent, but the service received a request"] : []),
    ...(error instanceof CallAborted && error.cause !== observation.abortReason
      ? ["lost the reason of its abort"]
      : []),
    ...(error instanceof CallAborted && observation.scenario.stop !== "abort" ? ["was aborted without an abort"] : []),
    ...(error instanceof ClientClosed && observation.scenario.stop !== "close" ? ["was closed without a close"] : [])
  ]
}

const wrongOutcomes = (observation: PromiseObservation): ReadonlyArray<string> =>
  observation.outcomes.flatMap((outcome) =>
    wrongOutcome(observation, outcome).map((message) => `input ${outcome.index} ${message}`)
  )

const wrongOrder = ({ outcomes, scenario, taken }: PromiseObservation): ReadonlyArray<string> => {
  if (scenario.work !== "upsertMany" && scenario.work !== "calls") return []
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

const wrongKeys = (observation: PromiseObservation): ReadonlyArray<string> => {
  const owners = new Map<string, string>()
  return observation.journal.flatMap(({ body, idempotencyKey, operation, path }) => {
    if (operation === "events.list") return []
    if (idempotencyKey === undefined) return ["sent a write without a key"]
    const work = `${path} ${JSON.stringify(body)}`
    const owner = owners.get(idempotencyKey) ?? work
    owners.set(idempotencyKey, owner)
    return owner === work ? [] : ["used one key for two requests"]
  })
}

const doubledTokens = (observation: PromiseObservation): ReadonlyArray<string> =>
  observation.scenario.hasTokens && observation.scenario.work !== "markManyAs" && observation.scenario.work !== "walk"
    ? observation.outcomes.flatMap(({ index }) => {
        const applied = appliedBy(requestsOf(observation, index))
        return applied > 1 ? [`input ${index} appended its device tokens ${applied} times`] : []
      })
    : []

const wrongMarks = ({ journal, marked, read, scenario }: PromiseObservation): ReadonlyArray<string> => {
  if (scenario.work !== "markManyAs" || marked === undefined) return []
  const { done, failed, notTried } = marked.report
  const ids = Array.from({ length: scenario.count }, (_, index) => idOf(index))
  const reported = [...done, ...failed, ...notTried].toSorted().join()
  return [
    ...(reported === ids.toSorted().join() ? [] : ["does not report every message exactly once"]),
    ...(done.every((id) => read.has(id)) ? [] : ["reported messages as done that are not read"]),
    ...(notTried.length > 0 && journal.length > 0 && done.length + failed.length === 0
      ? ["reported all messages as not tried although it sent a request"]
      : [])
  ]
}

const wrongWalk = ({ end, scenario, walked }: PromiseObservation): ReadonlyArray<string> => {
  if (scenario.work !== "walk" || scenario.faults.some(({ kind }) => kind === "drift")) return []
  return [
    ...(new Set(walked).size === walked.length ? [] : ["returned a record twice"]),
    ...(end._tag === "Completed" && walked.length < scenario.count ? ["completed without every record"] : [])
  ]
}

const tooConcurrent = ({ journal, scenario: { concurrency, work } }: PromiseObservation): ReadonlyArray<string> => {
  if (work === "calls") return []
  const maxInFlight = Math.max(
    0,
    ...journal.map(({ at }) => journal.filter((other) => other.at <= at && at < (other.endedAt ?? Infinity)).length)
  )
  return maxInFlight > concurrency ? [`made ${maxInFlight} concurrent calls, the limit is ${concurrency}`] : []
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
  const { end, leftovers, marked, outcomes, reports, timers } = observation
  const errors: ReadonlyArray<unknown> = [
    ...outcomes.flatMap(({ result }) => (result.ok ? [] : [result.error])),
    ...(marked === undefined || marked.ok ? [] : [marked.error]),
    ...(end._tag === "Threw" ? [end.error] : [])
  ]
  const shown = [
    ...reports,
    ...errors.flatMap((error) => [inspect(error, { depth: 9 }), JSON.stringify(error) ?? ""])
  ].join("\n")
  return [
    ...(leftovers.isSettled ? [] : ["never ended"]),
    ...(timers > 0 ? [`left ${timers} timers running`] : []),
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
    ...doubledTokens(observation),
    ...wrongMarks(observation),
    ...wrongWalk(observation),
    ...tooConcurrent(observation),
    ...wrongStop(observation),
    ...(observation.isClosedForGood ? [] : ["accepted a call after close()"]),
    ...leaks(observation)
  ].map(scenarioFinding)
