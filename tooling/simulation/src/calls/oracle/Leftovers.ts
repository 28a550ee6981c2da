/**
 * Checks that nothing stays open when the scenario is over.
 */
import type { JournalEntry } from "@signalbox/test-harness"
import type { Observation, ObservedCall } from "../Observation.ts"
import { callFinding, scenarioFinding, type Finding } from "../../Finding.ts"
import { wrongLeftBehind } from "../../Leftovers.ts"

const checkCall = (call: ObservedCall): ReadonlyArray<Finding> =>
  [...wrongLeftBehind(call.leftBehind), ...(call.outcome._tag === "Defect" ? ["failed with a defect"] : [])].map(
    (message) => callFinding(call, message)
  )

/** Whether a fault ended a request while the service worked on it: its key stays reserved, as after a crash. */
const crashed = ({ points }: JournalEntry): boolean => points.at(-1)?.point === "validated"

const keysInFlight = ({ journal, state }: Observation): ReadonlyArray<Finding> => {
  const reserved = new Set(journal.filter(crashed).map(({ idempotencyKey }) => idempotencyKey))
  return state.keysInFlight
    .filter((key) => !reserved.has(key))
    .map((key) => scenarioFinding(`key ${key} is still in flight`))
}

const pendingRequests = ({ journal }: Observation): ReadonlyArray<Finding> =>
  journal.flatMap(({ number, outcome }) =>
    outcome._tag === "Pending" ? [scenarioFinding(`request ${number} is still pending`)] : []
  )

/** Findings about timers, exchanges, keys and requests that stayed open. */
export const checkLeftovers = (observation: Observation): ReadonlyArray<Finding> => [
  ...observation.calls.flatMap(checkCall),
  ...keysInFlight(observation),
  ...pendingRequests(observation)
]
