/**
 * Runs many scenarios against a client, and makes the first that fails as small as it can be.
 */
import * as Arbitrary from "effect/Arbitrary"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { ConnectionError } from "@signalbox/core/Connection"
import type { ClientUnderTest } from "./ClientUnderTest.ts"
import type { Observation } from "./Observation.ts"
import { judge } from "./Oracle.ts"
import type { Complaint } from "./oracle/Complaint.ts"
import { run } from "./Run.ts"
import { scenario } from "./Scenario.ts"

/** A scenario in which something must not be. */
export class Disagreement extends Data.TaggedError("Disagreement")<{
  readonly complaints: ReadonlyArray<Complaint>
  readonly observation: Observation
}> {}

/** How many scenarios are run, and from which seed. */
export interface SimulateOptions {
  readonly client: ClientUnderTest
  readonly runs: number
  readonly seed: number
  /** Runs one scenario again: the token of an earlier failure. */
  readonly repeat?: string | undefined
  /** What counts as a disagreement; everything unless given. */
  readonly counts?: (complaint: Complaint) => boolean
  /** Is shown every scenario. */
  readonly observe?: (observation: Observation) => void
}

/** How a simulation ended. */
export type SimulationResult = Arbitrary.CheckResult<unknown, Disagreement | ConnectionError>

/** Runs scenarios until one fails. */
export const simulate = ({
  client,
  counts = () => true,
  observe,
  repeat,
  runs,
  seed
}: SimulateOptions): Effect.Effect<SimulationResult> =>
  Arbitrary.checkEffect(
    scenario,
    Effect.fnUntraced(function* (planned) {
      const observation = yield* run(planned, client)
      observe?.(observation)
      const complaints = judge(observation).filter(counts)
      if (complaints.length > 0) return yield* new Disagreement({ complaints, observation })
      return true
    }),
    { runs, seed, replay: repeat, maxShrinks: 2_000 }
  )
