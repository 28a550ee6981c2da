/**
 * Checks a scenario: the rules of a check, and the promises of this client about its policies.
 */
import { isDeepStrictEqual } from "node:util"
import type { AnyCall, JournalEntry } from "@signalbox/test-harness"
import type { CheckRun, MadeCall } from "@signalbox/test-harness/internal/check/CheckRun"
import { brokenRules, type CheckRuleName } from "@signalbox/test-harness/internal/check/CheckRules"
import { checkRunOf, reportOf } from "../CallReport.ts"
import { callFinding, type Finding, scenarioFinding, unless } from "../Finding.ts"
import { lateRequests, shownBy, wrongReports, wrongTelemetry } from "../RecordingOracle.ts"
import { isAsReadBySchema } from "../SchemaReading.ts"
import { addMember } from "./AddMember.ts"
import { areKeysHonoured } from "./Keys.ts"
import type { Observation, ObservedCall } from "./Observation.ts"
import { checkDelays } from "./oracle/Backoff.ts"
import { checkRateLimit } from "./oracle/RateLimit.ts"
import { checkRetries } from "./oracle/Retries.ts"
import { credentialsOf, isAppending, markedMessages, memberOf, timeoutsOf, workOf } from "./Program.ts"
import type { PlannedCall } from "./Scenario.ts"

/** The call of a check that a planned call is. */
const callOf = (plan: PlannedCall): AnyCall => {
  const { abortsAfter, operation, providerId, subscriberId } = plan
  const aborted = abortsAfter === undefined ? {} : { abortAfterMs: abortsAfter }
  switch (operation) {
    case "credentials.upsert":
      // The fake has the integrations of the programs.
      return { operation, subscriberId, providerId, credentials: credentialsOf(plan), ...aborted } as AnyCall
    case "messages.markAs":
      return { operation, subscriberId, messageId: markedMessages(plan), markAs: plan.mark, ...aborted }
    case "events.list":
      return { operation, subscriberIds: [subscriberId], limit: 10, ...aborted }
    case "topics.addMember": {
      const { method, name, path } = addMember
      const input = { path: { topicKey: subscriberId }, body: { member: memberOf(plan) } }
      const declared = { operation: "declared", name, method, path, idempotent: false, secrets: [] } as const
      return { ...declared, input, output: undefined, ...aborted }
    }
  }
}

const madeCall = (call: ObservedCall, ahead: number): MadeCall => {
  const { endedAt, outcome, plan, recording, requests, startedAt } = call
  const hasHung = outcome._tag === "Interrupted" && plan.abortsAfter === undefined && plan.timeouts !== "none"
  return {
    call: callOf(plan),
    startedAt: startedAt + ahead,
    endedAt: hasHung ? undefined : endedAt + ahead,
    result: reportOf(outcome, recording),
    deadlineMs: timeoutsOf(plan).callMs,
    requests
  }
}

/** Whether all calls append to what the service loses when it is written at the same time. */
const losesUpdates = ({ calls, switches }: Observation): boolean =>
  switches["credentials.concurrent"] === "lost-updates" &&
  switches["credentials.tokens"] !== "replace" &&
  calls.every(({ plan }) => plan.operation === "credentials.upsert" && isAppending(plan))

const runOf = (observation: Observation): CheckRun => {
  const { apiKey, calls, scenario, state, unmatchedRequests } = observation
  const errors = calls.flatMap(({ outcome }) => (outcome._tag === "Error" ? [outcome.error] : []))
  return checkRunOf({
    calls: calls.map((call) => madeCall(call, scenario.ahead)),
    isConcurrent: losesUpdates(observation),
    unmatchedRequests,
    records: state,
    output: calls.map(({ recording }) => shownBy(recording, [])).join("\n") + shownBy(undefined, errors),
    apiKey,
    vendor: scenario.vendor,
    timersLeft: calls.reduce((sum, { recording }) => sum + recording.watch.timers, 0)
  })
}

/** Whether the caller uses one key for different requests, and the service forgets the first one over the second. */
const mayForgetKey = ({ switches }: Observation, { key }: PlannedCall): boolean =>
  key === "reused" && areKeysHonoured(switches) && switches["idempotency.otherBody"] === "apply"

/** Rules that this client may break under some policies; the promises about these policies are stricter. */
const mayBreak = (observation: Observation, rule: CheckRuleName, plan: PlannedCall): boolean => {
  switch (rule) {
    case "effect-twice":
      // Where a service repeats the work of a key that is still in progress, no client can prevent duplicate tokens.
      return observation.switches["idempotency.inFlight"] === "apply" || mayForgetKey(observation, plan)
    case "shared-key":
      return plan.key !== "random"
    case "ignored-retry-after":
      return plan.retry === "no hints"
    case "no-backoff":
      return plan.retry === "eager"
    default:
      return false
  }
}

const ruleFindings = (observation: Observation): ReadonlyArray<Finding> => {
  const broken = brokenRules(runOf(observation)).flatMap(({ call, message, rule }) => {
    const made = observation.calls[(call ?? 0) - 1]
    // The policies of these calls differ; `makeBackoffCheck` compares their delays with the bounds of each.
    if (rule === "retry-delays" || (made !== undefined && mayBreak(observation, rule, made.plan))) return []
    const text = `${rule}: ${message}`
    return { rule, finding: made === undefined ? scenarioFinding(text) : callFinding(made, text) }
  })
  // Two short delays of one call are possible by chance, those of two calls are not.
  const isChance = broken.filter(({ rule }) => rule === "no-backoff").length < 2
  return broken.flatMap(({ finding, rule }) => (isChance && rule === "no-backoff" ? [] : [finding]))
}

/** Work that was applied more than once, by calls that use each key for one request only. */
const appliedTwice = (observation: Observation): ReadonlyArray<Finding> => {
  const times = new Map<string | number, number>()
  return observation.calls.flatMap((call) =>
    [...call.requests, ...call.duplicates].flatMap(({ applied, idempotencyKey, path }) => {
      if (!applied || idempotencyKey === undefined || call.plan.key === "reused") return []
      const scope = observation.switches["idempotency.scope"] === "environment" ? "" : path
      // A random key is that of one call.
      const key = call.plan.key === "random" ? call.number : `${scope} ${idempotencyKey} ${workOf(call.plan)}`
      times.set(key, (times.get(key) ?? 0) + 1)
      return times.get(key) === 1 ? [] : [callFinding(call, "was applied again although the service honours keys")]
    })
  )
}

/** How the attempt log of a call differs from its requests; the rules of a check compare the other facts. */
const wrongLog = ({ attempts, outcome, requests }: ObservedCall, ahead: number): ReadonlyArray<string> => {
  const log = outcome._tag === "Error" ? outcome.error.attempts : attempts
  const wrong = log.flatMap(({ delayMs, number, outcome: end, retryReason, startedAt, status }, index) => {
    const before = log[index - 1]
    const request = requests[index]
    // An attempt that timed out has no status, even if the response had started.
    const seen =
      request !== undefined && "status" in request.outcome && end !== "Timeout" ? request.outcome.status : undefined
    const isRight =
      number === index + 1 &&
      status === seen &&
      startedAt + ahead === request?.at &&
      retryReason === before?.outcome &&
      (before === undefined || delayMs === startedAt - before.startedAt - before.durationMs)
    return unless(isRight, `has a wrong number, status, start, delay or reason on attempt ${number}`)
  })
  const isSame = isDeepStrictEqual(
    log.map((attempt) => Object.assign({}, attempt)),
    attempts.map((attempt) => Object.assign({}, attempt))
  )
  return [...wrong, ...unless(isSame, "has an attempt log that differs from the attempts that its observer received")]
}

/** Reasons that can end a call between two attempts, or differ from how the last attempt ended. */
const ownReasons: ReadonlySet<string> = new Set([
  "TransportFailure",
  "MalformedResponse",
  "Timeout",
  "RateLimited",
  "InvalidRequest"
])

const wrongEnd = (call: ObservedCall, { scenario }: Observation): ReadonlyArray<string> => {
  const { endedAt, outcome, plan, recording, startedAt } = call
  const { attempts } = recording
  const durationMs = endedAt - startedAt
  switch (outcome._tag) {
    case "Value":
      return [
        ...wrongTelemetry(recording, { attempts, outcome: "success", durationMs }),
        ...unless(outcome.info?.durationMs === durationMs, `reports another duration than ${durationMs} ms`),
        ...unless(
          isAsReadBySchema(outcome.value, recording, scenario.vendor),
          "returned a value that differs from the response"
        ),
        ...unless(
          plan.reading === "tolerant" || (outcome.info?.drift.length ?? 0) === 0,
          "succeeded with drift although it reads strictly"
        )
      ]
    case "Error": {
      const { operation, reason } = outcome.error
      const isRight = ownReasons.has(reason._tag) || reason._tag === attempts.at(-1)?.outcome
      return [
        ...wrongTelemetry(recording, { attempts, outcome: reason._tag, durationMs }),
        ...unless(isRight && operation === plan.operation, `has an error with the reason ${reason._tag}`)
      ]
    }
    case "Interrupted":
      return wrongTelemetry(recording, { attempts, outcome: undefined, durationMs })
    case "Defect":
      return ["failed with a defect"]
  }
}

/** Whether a fault ended a request while the service worked on it: its key stays reserved, as after a crash. */
const crashed = ({ points }: JournalEntry): boolean => points.at(-1)?.point === "validated"

/** Keys and requests that stay in progress in the service. */
const openWork = ({ journal, state }: Observation): ReadonlyArray<string> => {
  const reserved = new Set(journal.filter(crashed).map(({ idempotencyKey }) => idempotencyKey))
  return [
    ...state.keysInFlight.filter((key) => !reserved.has(key)).map((key) => `key ${key} is still in flight`),
    ...lateRequests({ endedAt: Infinity, journal }, 0)
  ]
}

const callFindings = (observation: Observation, call: ObservedCall): ReadonlyArray<string> => [
  ...wrongLog(call, observation.scenario.ahead),
  ...wrongEnd(call, observation),
  ...wrongReports(call.recording, observation.scenario.vendor),
  ...unless(call.recording.watch.exchanges === 0, `left ${call.recording.watch.exchanges} exchanges open`)
]

/** Every rule that a scenario broke. */
export const check = (observation: Observation): ReadonlyArray<Finding> => [
  ...ruleFindings(observation),
  ...checkRetries(observation),
  ...checkDelays(observation),
  ...checkRateLimit(observation),
  ...(areKeysHonoured(observation.switches) ? appliedTwice(observation) : []),
  ...observation.calls.flatMap((call) => callFindings(observation, call).map((message) => callFinding(call, message))),
  ...openWork(observation).map(scenarioFinding)
]
