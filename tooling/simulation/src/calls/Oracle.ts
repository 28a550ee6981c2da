/**
 * Judges what was seen of a scenario.
 */
import type { Observation } from "./Observation.ts"
import { judgeAttemptLogs } from "./oracle/AttemptLog.ts"
import type { Complaint } from "../Complaint.ts"
import { judgeDelivery } from "./oracle/Delivery.ts"
import { judgeLeftovers } from "./oracle/Leftovers.ts"
import { judgeRepeats } from "./oracle/Repeats.ts"
import { judgeStoredState } from "./oracle/StoredState.ts"
import { judgeValues } from "./oracle/Values.ts"
import { judgeVerdicts } from "./oracle/Verdicts.ts"

/** All complaints about a scenario; none when everything agrees. */
export const judge = (observation: Observation): ReadonlyArray<Complaint> => [
  ...judgeDelivery(observation),
  ...judgeRepeats(observation),
  ...judgeAttemptLogs(observation),
  ...judgeStoredState(observation),
  ...judgeValues(observation),
  ...judgeVerdicts(observation),
  ...judgeLeftovers(observation)
]
