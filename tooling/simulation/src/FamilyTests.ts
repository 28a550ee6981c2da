/**
 * The tests of every family.
 */
import { assert, describe, it } from "@effect/vitest"
import { wholeNumber } from "@signalbox/repository/CommandLine"
import * as Effect from "effect/Effect"
import { standardSeed } from "./Arguments.ts"
import type { Finding } from "./Finding.ts"
import type { Family, Observed } from "./Family.ts"
import { report, Tally } from "./Report.ts"
import { simulate } from "./Simulate.ts"
import { timelineOf } from "./Timeline.ts"

const extraSeed = process.env["SIMULATION_SEED"]

/** The fixed seed, and the seed in the environment variable `SIMULATION_SEED` where it is set. */
const seeds: ReadonlyArray<number> =
  extraSeed === undefined ? [standardSeed] : [standardSeed, wholeNumber("SIMULATION_SEED", extraSeed, 0)]

/**
 * Asserts that the client that ships agrees with the service, that every broken client is caught, and that runs are
 * deterministic.
 */
export const testFamily = <Scenario, Observation extends Observed, Client>(
  family: Family<Scenario, Observation, Client>
): void => {
  const { broken, client, name, runs } = family
  // The time limit catches hangs; it says nothing about speed.
  describe(`simulation of ${name}`, { timeout: 300_000 }, () => {
    it.live.each(seeds)(`finds no disagreement in ${runs} scenarios of seed %i`, (seed) =>
      Effect.gen(function* () {
        const tally = new Tally(family)
        const observe = (observation: Observation) => tally.add(observation)
        const result = yield* simulate(family, { client, runs, seed, observe })
        assert.strictEqual(result._tag, "Passed", report(name, result).join("\n"))
        if (name === "calls" && seed === standardSeed) {
          assert.deepStrictEqual(tally.unseen(), [], "faults that never fired")
        }
      })
    )

    it.live("gives the same timelines for the same seed", () =>
      Effect.gen(function* () {
        const timelines: Array<ReadonlyArray<string>> = []
        const observe = (observation: Observation) => void timelines.push(timelineOf(family, observation))
        const options = { client, runs: Math.ceil(runs / 15), seed: 7, observe }
        yield* simulate(family, options)
        const first = timelines.splice(0)
        yield* simulate(family, options)
        assert.deepStrictEqual(timelines, first)
      })
    )

    if (Object.keys(broken).length === 0) return
    it.live.each(Object.entries(broken))("catches a client that %s", ([, defective]) =>
      Effect.gen(function* () {
        const counts = ({ message }: Finding) => defective.finding.test(message)
        const options = { client: defective.client, runs, seed: standardSeed, counts, maxShrinks: 0 }
        const result = yield* simulate(family, options)
        assert.include(["Falsified", "BrokenTogether"], result._tag)
      })
    )
  })
}
