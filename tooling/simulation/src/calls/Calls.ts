/**
 * Scenarios of single calls: generated programs that use the operations.
 */
import { brokenCallers, brokenDeclarations, brokenGates, brokenQuotas, brokenWriters } from "../BrokenClients.ts"
import { shipped, shippedOverFetch, shippedOverUndici } from "../ClientUnderTest.ts"
import { caughtBy, type Family, type Line } from "../Family.ts"
import { requestLines } from "../Timeline.ts"
import { afterImmediates } from "../UndiciOverFetch.ts"
import type { Observation, ObservedCall } from "./Observation.ts"
import { check } from "./Oracle.ts"
import { makeBackoffCheck } from "./oracle/Backoff.ts"
import { workOf } from "./Program.ts"
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

type Calls = Family<Scenario, Observation>

const outcomeOf = ({ outcome }: ObservedCall): string =>
  outcome._tag === "Error" ? outcome.error.reason._tag : outcome._tag

const linesOf = ({ calls: all, journal, scenario: { ahead } }: Observation): ReadonlyArray<Line> => [
  ...all.map(({ number, plan, startedAt }) => ({ at: startedAt, text: `call ${number}: ${workOf(plan)}` })),
  ...requestLines(journal, ahead),
  ...all.map((call) => {
    const { endedAt, number, outcome } = call
    return {
      at: endedAt,
      text: `call ${number}: ${outcome._tag === "Error" ? outcome.error.message : outcomeOf(call)}`
    }
  })
]

/** Scenarios of single calls over Effect's HTTP client. */
export const calls: Calls = {
  name: "calls",
  runs: 550,
  client: shipped,
  broken: brokenCallers,
  scenario,
  run,
  check,
  checkAll: makeBackoffCheck,
  lines: linesOf,
  outcomes: ({ calls: all }) => all.map(outcomeOf)
}

/** The same rules for other scenarios. */
const variant = (name: string, runs: number, changes: Partial<Calls>): Calls => ({
  ...calls,
  name,
  runs,
  broken: {},
  ...changes
})

/** The same scenarios, over `fetch`. */
export const fetches = variant("fetches", 200, { client: shippedOverFetch })

/** The same scenarios, over a dispatcher of undici. */
export const dispatches = variant("dispatches", 100, {
  client: shippedOverUndici,
  run: (scenario, client) => afterImmediates(run(scenario, client))
})

/** Scenarios in which the program declares an append, and calls it. */
export const declarations = variant("declarations", 100, { scenario: declaredScenario, broken: brokenDeclarations })

const newKeys = "makes a new key for every attempt"

/** Scenarios in which the network delivers requests twice. */
export const duplicates = variant("duplicates", 75, {
  scenario: duplicatedScenario,
  broken: { [newKeys]: caughtBy(/was applied again/u, brokenCallers[newKeys].client) }
})

/** Scenarios in which one client upserts few entries within a short time. */
export const appends = variant("appends", 75, { scenario: appendScenario, broken: brokenWriters })

/** Scenarios in which the service crashes and keeps its state. */
export const crashes = variant("crashes", 75, { scenario: crashScenario })

/** Scenarios in which the service crashes while one client makes many calls. */
export const outages = variant("outages", 10, { scenario: outageScenario, broken: brokenQuotas })

/** Scenarios of many clients that share the rate limits of a service. */
export const crowds = variant("crowds", 4, { scenario: crowdScenario, broken: brokenGates })
