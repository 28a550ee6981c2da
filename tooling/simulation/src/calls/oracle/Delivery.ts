/**
 * What the service did, against what the caller was told.
 */
import type { JournalEntry } from "@signalbox/test-harness"
import { areKeysHonoured } from "../Keys.ts"
import type { Observation, ObservedCall } from "../Observation.ts"
import { tokensOf, workOf } from "../Program.ts"
import { claimOf } from "./Claim.ts"
import { complain, type Complaint } from "../../Complaint.ts"

const isWrite = ({ plan }: ObservedCall): boolean => plan.operation !== "events.list"

const appends = ({ plan }: ObservedCall): boolean =>
  plan.operation === "credentials.upsert" && (tokensOf(plan)?.length ?? 0) > 0

const appliedBy = (call: ObservedCall): number => call.requests.filter(({ applied }) => applied).length

/** What requests have in common for which a service with keys does the work once. */
const keyed = (observation: Observation, call: ObservedCall, { idempotencyKey, path }: JournalEntry): string =>
  `${observation.switches["idempotency.scope"] === "environment" ? "" : path} ${idempotencyKey} ${workOf(call.plan)}`

const isSuccess = ({ told }: JournalEntry): boolean => told._tag === "Answer" && told.status >= 200 && told.status < 300

/** A change that was made for a request that is answered with success: by itself, or by the one that it repeats. */
const wasMade = (observation: Observation, request: JournalEntry): boolean => {
  if (request.applied) return true
  if (!request.replayed) return false
  const isEarlier = ({ idempotencyKey, passages }: JournalEntry): boolean =>
    idempotencyKey === request.idempotencyKey &&
    passages.some(({ at, point }) => point === "committed" && at <= (request.endedAt ?? Infinity))
  return observation.committed.some(isEarlier)
}

const successWithoutEffect = (observation: Observation, call: ObservedCall): ReadonlyArray<Complaint> => {
  const last = call.requests.at(-1)
  if (claimOf(call) !== "done") return []
  if (last === undefined) return [complain(call, "was told that it is done, and the service was never asked")]
  if (!isSuccess(last)) return [complain(call, "was told that it is done, and the service did not say so")]
  if (!isWrite(call) || wasMade(observation, last)) return []
  return [complain(call, "was told that it is done, and it was not")]
}

const failureWithEffect = (call: ObservedCall): ReadonlyArray<Complaint> => {
  if (claimOf(call) !== "not done") return []
  const applied = appliedBy(call)
  if (applied > 0) return [complain(call, `was told that nothing was done, and it was applied ${applied} times`)]
  const wasInvalid = call.told._tag === "Error" && call.told.error.reason._tag === "InvalidRequest"
  return wasInvalid && call.requests.length > 0 ? [complain(call, "was told that nothing was sent, and it was")] : []
}

/** Whether the caller uses one key for several things, where the service forgets the first of them over the second. */
const isForgotten = ({ switches }: Observation, { plan }: ObservedCall): boolean =>
  plan.key === "reused" && areKeysHonoured(switches) && switches["idempotency.otherBody"] === "apply"

const doubledTokens = (observation: Observation, call: ObservedCall): ReadonlyArray<Complaint> => {
  const applied = appliedBy(call)
  return appends(call) && applied > 1 && !isForgotten(observation, call)
    ? [complain(call, `added its device tokens ${applied} times`)]
    : []
}

/** A call with a key of its own that was applied more than once. */
const repeatedWork = (observation: Observation, call: ObservedCall): ReadonlyArray<Complaint> => {
  const applied = appliedBy(call)
  return call.plan.key !== "off" && applied > 1 && !isForgotten(observation, call)
    ? [complain(call, `was applied ${applied} times although keys are honoured`)]
    : []
}

/** What was applied more than once under one key, by calls whose own keys are used for one thing each. */
const appliedTwice = (observation: Observation): ReadonlyArray<Complaint> => {
  const times = new Map<string, number>()
  const complaints: Array<Complaint> = []
  for (const call of observation.calls) {
    if (call.plan.key === "reused") continue
    for (const request of call.requests) {
      if (!request.applied || request.idempotencyKey === undefined) continue
      const key = keyed(observation, call, request)
      const count = (times.get(key) ?? 0) + 1
      times.set(key, count)
      if (count > 1) complaints.push(complain(call, `was applied ${count} times under one key`))
    }
  }
  return complaints
}

/** Complaints about what the service did and the caller believes. */
export const judgeDelivery = (observation: Observation): ReadonlyArray<Complaint> => {
  // Where a service works on a key while it is being worked on, no client can keep tokens from doubling.
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
