/**
 * Scenarios of single calls: generated programs that use the operations.
 */
import { afterImmediates } from "../UndiciOverFetch.ts"
import { shipped, shippedOverFetch, shippedOverUndici } from "../ClientUnderTest.ts"
import type { Family } from "../Family.ts"
import type { Observation } from "./Observation.ts"
import { check } from "./Oracle.ts"
import { makeBackoffCheck } from "./oracle/Backoff.ts"
import { run } from "./Run.ts"
import {
  appendScenario,
  crashScenario,
  crowdScenario,
  declaredScenario,
  duplicatedScenario,
  outageScenario,
  scenario,
  type Scenario
} from "./Scenario.ts"
import { timeline } from "./Timeline.ts"

/** Scenarios of single calls over Effect's HTTP client. */
export const calls: Family<Scenario, Observation> = {
  name: "calls",
  client: shipped,
  scenario,
  run,
  check,
  checkAll: makeBackoffCheck,
  timeline,
  outcomes: ({ calls: all }) =>
    all.map(({ outcome }) => (outcome._tag === "Error" ? outcome.error.reason._tag : outcome._tag))
}

/** The same scenarios, over `fetch`. */
export const fetches: Family<Scenario, Observation> = {
  ...calls,
  name: "fetches",
  client: shippedOverFetch
}

/** The same scenarios, over a dispatcher of undici. */
export const dispatches: Family<Scenario, Observation> = {
  ...calls,
  name: "dispatches",
  client: shippedOverUndici,
  run: (scenario, client) => afterImmediates(run(scenario, client))
}

/** Scenarios in which the program declares an append, and calls it. */
export const declarations: Family<Scenario, Observation> = {
  ...calls,
  name: "declarations",
  scenario: declaredScenario
}

/** Scenarios in which the network delivers requests twice. */
export const duplicates: Family<Scenario, Observation> = { ...calls, name: "duplicates", scenario: duplicatedScenario }

/** Scenarios in which one client upserts few entries within a short time. */
export const appends: Family<Scenario, Observation> = { ...calls, name: "appends", scenario: appendScenario }

/** Scenarios in which the service crashes and keeps its state. */
export const crashes: Family<Scenario, Observation> = { ...calls, name: "crashes", scenario: crashScenario }

/** Scenarios in which the service crashes while one client makes many calls. */
export const outages: Family<Scenario, Observation> = { ...calls, name: "outages", scenario: outageScenario }

/** Scenarios of many clients that share the rate limits of a service. */
export const crowds: Family<Scenario, Observation> = { ...calls, name: "crowds", scenario: crowdScenario }
