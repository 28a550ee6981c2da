/**
 * Runs many scenarios against a client and shrinks the first that fails.
 */
import * as Arbitrary from "effect/Arbitrary"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { ConnectionError } from "@signalbox/core/Connection"
import type { Finding } from "./Finding.ts"
import type { Family, Observed } from "./Family.ts"
import { timelineOf } from "./Timeline.ts"

/** A scenario in which client and service disagree. */
export class Disagreement extends Data.TaggedError("Disagreement")<{
  readonly findings: ReadonlyArray<Finding>
  readonly timeline: ReadonlyArray<string>
}> {}

/** Options of {@link simulate}. */
export interface SimulateOptions<Observation extends Observed, Client> {
  readonly client: Client
  readonly runs: number
  readonly seed: number
  /** Runs one scenario: the replay value of an earlier failure. */
  readonly replay?: string | undefined
  /** Which findings count as a disagreement; all by default. */
  readonly counts?: (finding: Finding) => boolean
  /** Whether to skip the scenarios that are left, because the time for them is over. */
  readonly isOver?: () => boolean
  /** How many smaller scenarios are tried after one that fails; 2,000 by default. */
  readonly maxShrinks?: number
  /** Receives the observation of every scenario. */
  readonly observe?: (observation: Observation) => void
}

/** Rules that the scenarios broke together, although none of them broke a rule. */
export interface BrokenTogether {
  readonly _tag: "BrokenTogether"
  readonly findings: ReadonlyArray<Finding>
}

/** The result of a simulation. */
export type SimulationResult = Arbitrary.CheckResult<unknown, Disagreement | ConnectionError> | BrokenTogether

/** Runs scenarios until one fails, and then checks all of them together. */
export const simulate = <Scenario, Observation extends Observed, Client>(
  family: Family<Scenario, Observation, Client>,
  {
    client,
    counts = () => true,
    isOver = () => false,
    maxShrinks = 2_000,
    observe,
    replay,
    runs,
    seed
  }: SimulateOptions<Observation, Client>
): Effect.Effect<SimulationResult> => {
  const overall = family.checkAll?.()
  const brokenTogether = () => (overall?.findings() ?? []).filter(counts)
  const each = Arbitrary.checkEffect(
    family.scenario,
    Effect.fnUntraced(function* (scenario) {
      if (isOver() || brokenTogether().length > 0) return true
      const observation = yield* family.run(scenario, client)
      observe?.(observation)
      overall?.add(observation)
      const findings = family.check(observation).filter(counts)
      if (findings.length === 0) return true
      return yield* new Disagreement({ findings, timeline: timelineOf(family, observation) })
    }),
    { runs, seed, replay, maxShrinks }
  )
  return Effect.map(each, (result): SimulationResult => {
    const findings = result._tag === "Passed" ? brokenTogether() : []
    return findings.length === 0 ? result : { _tag: "BrokenTogether", findings }
  })
}
