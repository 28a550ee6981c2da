/**
 * Checks what callers conclude against what the service did.
 */
import { isRead } from "@signalbox/core/Operations"
import type { JournalEntry } from "@signalbox/test-harness"
import { areKeysHonoured } from "../Keys.ts"
import type { Observation, ObservedCall } from "../Observation.ts"
import { isAppending, workOf } from "../Program.ts"
import { claimOf } from "./Claim.ts"
import { callFinding, type Finding } from "../../Finding.ts"

const isWrite = ({ plan }: ObservedCall): boolean => !isRead(plan.operation)

const appends = ({ plan }: ObservedCall): boolean => isAppending(plan)

const appliedBy = ({ duplicates, requests }: ObservedCall): number =>
  [...requests, ...duplicates].filter(({ applied }) => applied).length

/** Equal for requests whose work a service that honours keys does once. */
const keyed = (observation: Observation, call: ObservedCall, { idempotencyKey, path }: JournalEntry): string =>
  `${observation.switches["idempotency.scope"] === "environment" ? "" : path} ${idempotencyKey} ${workOf(call.plan)}`

const isSuccess = ({ outcome }: JournalEntry): boolean =>
  (outcome._tag === "Response" || outcome._tag === "CutResponse") && outcome.status >= 200 && outcome.status < 300

/** Whether a successful request was applied: itself, or the earlier request that it replays. */
const wasMade = (observation: Observation, request: JournalEntry): boolean => {
  if (request.applied) return true
  if (!request.replayed) return false
  const isEarlier = ({ idempotencyKey, points }: JournalEntry): boolean =>
    idempotencyKey === request.idempotencyKey &&
    points.some(({ at, point }) => point === "committed" && at <= (request.endedAt ?? Infinity))
  return observation.committed.some(isEarlier)
}

const successWithoutEffect = (observation: Observation, call: ObservedCall): ReadonlyArray<Finding> => {
  const last = call.requests.at(-1)
  if (claimOf(call) !== "done") return []
  if (last === undefined) return [callFinding(call, "succeeded without a request")]
  if (!isSuccess(last)) return [callFinding(call, "succeeded although the service reported no success")]
  if (!isWrite(call) || wasMade(observation, last)) return []
  return [callFinding(call, "succeeded although the change was not applied")]
}

const failureWithEffect = (call: ObservedCall): ReadonlyArray<Finding> => {
  if (claimOf(call) !== "not done") return []
  const applied = appliedBy(call)
  if (applied > 0)
    return [callFinding(call, `reported that nothing was applied, but the service applied it ${applied} times`)]
  const wasInvalid = call.outcome._tag === "Error" && call.outcome.error.reason._tag === "InvalidRequest"
  return wasInvalid && call.requests.length > 0
    ? [callFinding(call, "reported that nothing was sent, but the service received a request")]
    : []
}

/** Whether the caller uses one key for different requests, and the service forgets the first one over the second. */
const mayForgetKey = ({ switches }: Observation, { plan }: ObservedCall): boolean =>
  plan.key === "reused" && areKeysHonoured(switches) && switches["idempotency.otherBody"] === "apply"

const doubledTokens = (observation: Observation, call: ObservedCall): ReadonlyArray<Finding> => {
  const applied = appliedBy(call)
  return appends(call) && applied > 1 && !mayForgetKey(observation, call)
    ? [callFinding(call, `appended ${applied} times`)]
    : []
}

/** Calls with their own key that were applied more than once. */
const repeatedWork = (observation: Observation, call: ObservedCall): ReadonlyArray<Finding> => {
  const applied = appliedBy(call)
  return call.plan.key !== "off" && applied > 1 && !mayForgetKey(observation, call)
    ? [callFinding(call, `was applied ${applied} times although the service honours keys`)]
    : []
}

/** Work that was applied more than once under one key, by calls that use each key for one request only. */
const appliedTwice = (observation: Observation): ReadonlyArray<Finding> => {
  const times = new Map<string, number>()
  const findings: Array<Finding> = []
  for (const call of observation.calls) {
    if (call.plan.key === "reused") continue
    for (const request of [...call.requests, ...call.duplicates]) {
      if (!request.applied || request.idempotencyKey === undefined) continue
      const key = keyed(observation, call, request)
      const count = (times.get(key) ?? 0) + 1
      times.set(key, count)
      if (count > 1) findings.push(callFinding(call, `was applied ${count} times with one key`))
    }
  }
  return findings
}

/** Findings about what callers conclude and what the service did. */
export const checkDelivery = (observation: Observation): ReadonlyArray<Finding> => {
  // Where a service repeats the work of a key that is still in progress, no client can prevent duplicate tokens.
  const worksTwice = observation.switches["idempotency.inFlight"] === "apply"
  return [
    ...observation.calls.flatMap((call) => [
      ...successWithoutEffect(observation, call),
      ...failureWithEffect(call),
      ...(worksTwice ? [] : doubledTokens(observation, call))
    ]),
    ...(areKeysHonoured(observation.switches)
      ? [...appliedTwice(observation), ...observation.calls.flatMap((call) => repeatedWork(observation, call))]
      : [])
  ]
}
