/**
 * The tests of every family.
 */
import { assert, describe, it } from "@effect/vitest"
import { wholeNumber } from "@signalbox/repository/CommandLine"
import * as Effect from "effect/Effect"
import { standardSeed } from "./Arguments.ts"
import type { BrokenClient } from "./BrokenClients.ts"
import type { Finding } from "./Finding.ts"
import type { Family, Observed } from "./Family.ts"
import { report, Tally } from "./Report.ts"
import { simulate } from "./Simulate.ts"

const extraSeed = process.env["SIMULATION_SEED"]

/** The fixed seed, and the seed in the environment variable `SIMULATION_SEED` where it is set. */
const seeds: ReadonlyArray<number> =
  extraSeed === undefined ? [standardSeed] : [standardSeed, wholeNumber("SIMULATION_SEED", extraSeed, 0)]

/** Values that differ between families. */
export interface FamilyTests<Client> {
  readonly runs: number
  /** Scenarios that are run twice, to assert that timelines are deterministic; 50 by default. */
  readonly repeats?: number
  readonly broken?: Readonly<Record<string, BrokenClient<Client>>>
  /** Whether every fault must fire in the scenarios of the fixed seed. */
  readonly everyFault?: boolean
}

/** Asserts that the client that ships agrees with the service, that every broken client is caught, and that runs are deterministic. */
export const testFamily = <Scenario, Observation extends Observed, Client>(
  family: Family<Scenario, Observation, Client>,
  { broken = {}, everyFault = false, repeats = 50, runs }: FamilyTests<Client>
): void => {
  // The time limit catches hangs; it says nothing about speed.
  describe(`simulation of ${family.name}`, { timeout: 300_000 }, () => {
    it.live.each(seeds)(`finds no disagreement in ${runs} scenarios of seed %i`, (seed) =>
      Effect.gen(function* () {
        const tally = new Tally(family)
        const observe = (observation: Observation) => tally.add(observation)
        const result = yield* simulate(family, { client: family.client, runs, seed, observe })
        assert.strictEqual(result._tag, "Passed", report(family.name, result).join("\n"))
        if (everyFault && seed === standardSeed) assert.deepStrictEqual(tally.unseen(), [], "faults that never fired")
      })
    )

    it.live("gives the same timelines for the same seed", () =>
      Effect.gen(function* () {
        const timelines: Array<ReadonlyArray<string>> = []
        const observe = (observation: Observation) => void timelines.push(family.timeline(observation))
        const options = { client: family.client, runs: repeats, seed: 7, observe }
        yield* simulate(family, options)
        const first = timelines.splice(0)
        yield* simulate(family, options)
        assert.deepStrictEqual(timelines, first)
      })
    )

    if (Object.keys(broken).length === 0) return
    it.live.each(Object.entries(broken))("catches a client that %s", ([, { client, finding }]) =>
      Effect.gen(function* () {
        const counts = ({ message }: Finding) => finding.test(message)
        const options = { client, runs, seed: standardSeed, counts, maxShrinks: 0 }
        const result = yield* simulate(family, options)
        assert.include(["Falsified", "BrokenTogether"], result._tag)
      })
    )
  })
}
