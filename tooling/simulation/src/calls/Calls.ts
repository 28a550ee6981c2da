/**
 * Scenarios of single calls: generated programs that use the three operations.
 */
import { shipped, shippedOverFetch } from "../ClientUnderTest.ts"
import type { Family } from "../Family.ts"
import type { Observation } from "./Observation.ts"
import { check } from "./Oracle.ts"
import { run } from "./Run.ts"
import { scenario, type Scenario } from "./Scenario.ts"
import { timeline } from "./Timeline.ts"

/** Scenarios of single calls over Effect's HTTP client. */
export const calls: Family<Scenario, Observation> = {
  name: "calls",
  client: shipped,
  scenario,
  run,
  check,
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
