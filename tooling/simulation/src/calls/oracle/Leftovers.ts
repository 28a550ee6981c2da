/**
 * What must not be left when everything is over.
 */
import * as HashMap from "effect/HashMap"
import type { JournalEntry } from "@signalbox/test-harness"
import type { Observation, ObservedCall } from "../Observation.ts"
import { complain, complainOfAll, type Complaint } from "../../Complaint.ts"

const judgeCall = (call: ObservedCall): ReadonlyArray<Complaint> => {
  const { exchanges, timers } = call.leftBehind
  return [
    ...(timers > 0 ? [complain(call, `left ${timers} timers behind`)] : []),
    ...(exchanges > 0 ? [complain(call, `left ${exchanges} exchanges open`)] : []),
    ...(call.told._tag === "Defect" ? [complain(call, "died of a defect")] : [])
  ]
}

/** A request that a fault ended while the service worked on it: its key stays reserved, as after a crash. */
const crashed = ({ passages }: JournalEntry): boolean => passages.at(-1)?.point === "validated"

const keysInFlight = ({ journal, state }: Observation): ReadonlyArray<Complaint> => {
  const excused = new Set(journal.filter(crashed).map(({ idempotencyKey }) => idempotencyKey))
  return [...HashMap.entries(state.keys)].flatMap(([scoped, { _tag }]) => {
    const key = scoped.slice(scoped.indexOf("\n") + 1)
    return _tag === "InFlight" && !excused.has(key) ? [complainOfAll(`key ${key} is still in flight`)] : []
  })
}

const pendingRequests = ({ journal }: Observation): ReadonlyArray<Complaint> =>
  journal.flatMap(({ number, told }) =>
    told._tag === "Pending" ? [complainOfAll(`request ${number} is still on its way`)] : []
  )

/** Complaints about what is left. */
export const judgeLeftovers = (observation: Observation): ReadonlyArray<Complaint> => [
  ...observation.calls.flatMap(judgeCall),
  ...keysInFlight(observation),
  ...pendingRequests(observation)
]
