/**
 * Scenarios of the Promise client: bulk work, single calls and walks, aborted or closed at every point.
 */
import type { Family } from "../Family.ts"
import { checkPromises } from "./PromiseOracle.ts"
import { type PromiseClientUnderTest, type PromiseObservation, runPromises, shippedPromises } from "./PromiseRun.ts"
import { lossScenario, promiseScenario, type PromiseScenario, rotationScenario } from "./PromiseScenario.ts"
import { promiseTimeline } from "./PromiseTimeline.ts"

/** Scenarios of the Promise client. */
export const promises: Family<PromiseScenario, PromiseObservation, PromiseClientUnderTest> = {
  name: "promises",
  client: shippedPromises,
  scenario: promiseScenario,
  run: runPromises,
  check: checkPromises,
  timeline: promiseTimeline,
  outcomes: ({ end, marked, outcomes, scenario }) => [
    `${scenario.work} ${end._tag}`,
    ...outcomes.map(({ result }) => (result.ok ? "ok" : result.error._tag)),
    ...(marked === undefined ? [] : [marked.ok ? "ok" : marked.error._tag])
  ]
}

/** Scenarios in which the API key is revoked and rotated while requests are in flight. */
export const rotations: typeof promises = { ...promises, name: "rotations", scenario: rotationScenario }

/** Scenarios in which the service crashes and restarts without its state, or with that of a backup. */
export const losses: typeof promises = { ...promises, name: "losses", scenario: lossScenario }
