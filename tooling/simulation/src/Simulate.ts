/**
 * Runs many scenarios against a client, and makes the first that fails as small as it can be.
 */
import * as Arbitrary from "effect/Arbitrary"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { ConnectionError } from "@signalbox/core/Connection"
import type { ClientUnderTest } from "./ClientUnderTest.ts"
import type { Complaint } from "./Complaint.ts"
import type { Family, Observed } from "./Family.ts"

/** A scenario in which something must not be. */
export class Disagreement extends Data.TaggedError("Disagreement")<{
  readonly complaints: ReadonlyArray<Complaint>
  readonly timeline: ReadonlyArray<string>
}> {}

/** How many scenarios are run, and from which seed. */
export interface SimulateOptions<Observation extends Observed> {
  readonly client: ClientUnderTest
  readonly runs: number
  readonly seed: number
  /** Runs one scenario again: the replay of an earlier failure. */
  readonly replay?: string | undefined
  /** What counts as a disagreement; everything unless given. */
  readonly counts?: (complaint: Complaint) => boolean
  /** Is shown every scenario. */
  readonly observe?: (observation: Observation) => void
}

/** How a simulation ended. */
export type SimulationResult = Arbitrary.CheckResult<unknown, Disagreement | ConnectionError>

/** Runs scenarios until one fails. */
export const simulate = <Scenario, Observation extends Observed>(
  family: Family<Scenario, Observation>,
  { client, counts = () => true, observe, replay, runs, seed }: SimulateOptions<Observation>
): Effect.Effect<SimulationResult> =>
  Arbitrary.checkEffect(
    family.scenario,
    Effect.fnUntraced(function* (scenario) {
      const observation = yield* family.run(scenario, client)
      observe?.(observation)
      const complaints = family.judge(observation).filter(counts)
      if (complaints.length === 0) return true
      return yield* new Disagreement({ complaints, timeline: family.timeline(observation) })
    }),
    { runs, seed, replay, maxShrinks: 2_000 }
  )
