/**
 * Checks a scenario against every rule.
 */
import type { Observation } from "./Observation.ts"
import { checkAttemptLogs } from "./oracle/AttemptLog.ts"
import type { Finding } from "../Finding.ts"
import { checkDelivery } from "./oracle/Delivery.ts"
import { checkContents } from "./oracle/Contents.ts"
import { checkErrors } from "./oracle/Errors.ts"
import { checkLiveness } from "./oracle/Liveness.ts"
import { checkRateLimit } from "./oracle/RateLimit.ts"
import { checkReports } from "./oracle/Reports.ts"
import { checkLeftovers } from "./oracle/Leftovers.ts"
import { checkRetries } from "./oracle/Retries.ts"
import { checkStoredState } from "./oracle/StoredState.ts"
import { checkValues } from "./oracle/Values.ts"
import { checkVerdicts } from "./oracle/Verdicts.ts"

/** Every rule that a scenario broke. */
export const check = (observation: Observation): ReadonlyArray<Finding> => [
  ...checkDelivery(observation),
  ...checkRetries(observation),
  ...checkAttemptLogs(observation),
  ...checkStoredState(observation),
  ...checkValues(observation),
  ...checkVerdicts(observation),
  ...checkLeftovers(observation),
  ...checkErrors(observation),
  ...checkLiveness(observation),
  ...checkContents(observation),
  ...checkRateLimit(observation),
  ...checkReports(observation)
]
