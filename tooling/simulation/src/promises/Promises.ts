/**
 * Scenarios of the Promise client: bulk work, single calls and walks, aborted or closed at every point.
 */
import type { Family, Line } from "../Family.ts"
import { requestLines } from "../Timeline.ts"
import { brokenLosses, brokenMarkers, brokenPromises, brokenRotations, brokenWalkers } from "./BrokenPromiseClients.ts"
import { checkPromises } from "./PromiseOracle.ts"
import { type PromiseClientUnderTest, type PromiseObservation, runPromises, shippedPromises } from "./PromiseRun.ts"
import {
  lossScenario,
  markScenario,
  promiseScenario,
  type PromiseScenario,
  rotationScenario,
  walkScenario
} from "./PromiseScenario.ts"

type Promises = Family<PromiseScenario, PromiseObservation, PromiseClientUnderTest>

const linesOf = (observation: PromiseObservation): ReadonlyArray<Line> => {
  const { end, endedAt, existing, leftovers, marked, outcomes, scenario, stoppedAt, walked } = observation
  const ended = end._tag === "Threw" ? `throws ${String(end.error)}` : "completes"
  return [
    ...existing.map(({ createdAt, id }) => ({ at: createdAt - scenario.ahead, text: `event ${id}` })),
    ...requestLines(observation.journal, scenario.ahead),
    ...walked.map(({ at, records }) => ({ at, text: `receives ${records.map(({ _id }) => _id).join(", ")}` })),
    ...outcomes.map(({ at, index, result }) => ({
      at,
      text: `input ${index} ${result.ok ? "succeeds" : `fails: ${result.error.message}`}`
    })),
    ...(stoppedAt === undefined ? [] : [{ at: stoppedAt, text: `the caller calls ${scenario.stop}` }]),
    { at: endedAt, text: `the program ${ended}: ${JSON.stringify(marked?.report ?? {})}` },
    { at: endedAt, text: `left ${JSON.stringify(leftovers)}` }
  ]
}

/** Scenarios of the Promise client. */
export const promises: Promises = {
  name: "promises",
  runs: 250,
  client: shippedPromises,
  broken: brokenPromises,
  scenario: promiseScenario,
  run: runPromises,
  check: checkPromises,
  lines: linesOf,
  outcomes: ({ end, marked, outcomes, scenario }) => [
    `${scenario.work} ${end._tag}`,
    ...outcomes.map(({ result }) => (result.ok ? "ok" : result.error._tag)),
    ...(marked === undefined ? [] : [marked.ok ? "ok" : marked.error._tag])
  ]
}

/** Scenarios in which the API key is revoked and rotated while requests are in flight. */
export const rotations: Promises = {
  ...promises,
  name: "rotations",
  runs: 100,
  scenario: rotationScenario,
  broken: brokenRotations
}

/** Scenarios in which the service crashes and restarts without its state, or with that of a backup. */
export const losses: Promises = {
  ...promises,
  name: "losses",
  runs: 100,
  scenario: lossScenario,
  broken: brokenLosses
}

/** Scenarios of `markManyAs`. */
export const marks: Promises = { ...promises, name: "marks", runs: 150, scenario: markScenario, broken: brokenMarkers }

/** Scenarios of walks over the event listing. */
export const walks: Promises = { ...promises, name: "walks", runs: 150, scenario: walkScenario, broken: brokenWalkers }
