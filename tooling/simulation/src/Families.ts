/**
 * Every family of scenarios.
 */
import { bulk } from "./bulk/Bulk.ts"
import {
  appends,
  calls,
  crashes,
  crowds,
  declarations,
  dispatches,
  duplicates,
  fetches,
  outages
} from "./calls/Calls.ts"
import { clockSteps } from "./calls/ClockSteps.ts"
import type { Family, Observed } from "./Family.ts"
import { losses, marks, promises, rotations, walks } from "./promises/Promises.ts"

/** Runs a function with a family whose types only the function's body knows. */
export type WithFamily<Result> = <Scenario, Observation extends Observed, Client>(
  family: Family<Scenario, Observation, Client>
) => Result

/** Every family by name, in the order in which the command runs them. */
export const families: Readonly<Record<string, <Result>(use: WithFamily<Result>) => Result>> = {
  calls: (use) => use(calls),
  fetches: (use) => use(fetches),
  dispatches: (use) => use(dispatches),
  duplicates: (use) => use(duplicates),
  appends: (use) => use(appends),
  declarations: (use) => use(declarations),
  crashes: (use) => use(crashes),
  outages: (use) => use(outages),
  crowds: (use) => use(crowds),
  "clock-steps": (use) => use(clockSteps),
  marks: (use) => use(marks),
  walks: (use) => use(walks),
  promises: (use) => use(promises),
  rotations: (use) => use(rotations),
  losses: (use) => use(losses),
  bulk: (use) => use(bulk)
}
