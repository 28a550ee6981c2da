/**
 * Scenarios of single calls: generated programs over the three operations.
 */
import { shipped, shippedOverFetch } from "../ClientUnderTest.ts"
import type { Family } from "../Family.ts"
import type { Observation } from "./Observation.ts"
import { judge } from "./Oracle.ts"
import { run } from "./Run.ts"
import { scenario, type Scenario } from "./Scenario.ts"
import { timeline } from "./Timeline.ts"

/** Scenarios of single calls, by programs of Effect. */
export const calls: Family<Scenario, Observation> = {
  name: "calls",
  client: shipped,
  scenario,
  run,
  judge,
  timeline,
  endings: ({ calls: all }) => all.map(({ told }) => (told._tag === "Error" ? told.error.reason._tag : told._tag))
}

/** The same scenarios, over `fetch`. */
export const fetches: Family<Scenario, Observation> = {
  ...calls,
  name: "fetches",
  client: shippedOverFetch
}
