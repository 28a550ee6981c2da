/**
 * Scenarios in which the clients' wall clock is set: apart from timestamps, everything must be as without it.
 */
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { isDeepStrictEqual } from "node:util"
import { brokenClocks } from "../BrokenClients.ts"
import type { Family } from "../Family.ts"
import { callFinding, type Finding } from "../Finding.ts"
import { calls } from "./Calls.ts"
import type { Observation, ObservedCall } from "./Observation.ts"
import { clockStepScenario, type Scenario } from "./Scenario.ts"

/** The same scenario with and without the step. */
export interface SteppedObservation extends Observation {
  readonly steady: Observation
}

/** Everything about a call that has no timestamp of the client. */
const timeless = ({ attempts, endedAt, outcome, requests, startedAt }: ObservedCall) => ({
  took: endedAt - startedAt,
  outcome: outcome._tag === "Error" ? outcome.error.reason._tag : outcome._tag,
  durationMs: outcome._tag === "Value" ? outcome.info?.durationMs : undefined,
  attempts: attempts.map((attempt) => Struct.omit(attempt, ["startedAt"])),
  requests: requests.map(({ at, outcome: end }) => ({ at, end }))
})

const differences = ({ calls: stepped, steady }: SteppedObservation): ReadonlyArray<Finding> =>
  stepped.flatMap((call, index) => {
    const other = steady.calls[index]
    return other !== undefined && isDeepStrictEqual(timeless(call), timeless(other))
      ? []
      : [callFinding(call, "behaves differently because the wall clock was set")]
  })

/** Scenarios in which the clients' wall clock is set. */
export const clockSteps: Family<Scenario, SteppedObservation> = {
  name: "clock-steps",
  runs: 50,
  client: calls.client,
  broken: brokenClocks,
  scenario: clockStepScenario,
  run: (scenario, client) =>
    Effect.zipWith(
      calls.run(scenario, client),
      calls.run({ ...scenario, clockStep: undefined }, client),
      (stepped, steady) => ({ ...stepped, steady })
    ),
  check: differences,
  lines: ({ steady, ...stepped }) => [
    ...calls.lines(stepped),
    ...calls.lines(steady).map(({ at, text }) => ({ at, text: `without the step: ${text}` }))
  ],
  outcomes: calls.outcomes
}
