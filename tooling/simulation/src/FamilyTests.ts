/**
 * The tests that every family of scenarios has.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { standardSeed } from "./Arguments.ts"
import type { BrokenClient } from "./BrokenClients.ts"
import type { Complaint } from "./Complaint.ts"
import type { Family, Observed } from "./Family.ts"
import { report, Tally } from "./Report.ts"
import { simulate } from "./Simulate.ts"

/** What differs between families. */
export interface FamilyTests {
  readonly runs: number
  readonly broken?: Readonly<Record<string, BrokenClient>>
  /** Faults that the family leaves out, by name. */
  readonly unfit?: RegExp
}

/** Tests that the client as it ships agrees with the service, that broken ones do not, and that runs are repeatable. */
export const testFamily = <Scenario, Observation extends Observed>(
  family: Family<Scenario, Observation>,
  { broken = {}, runs, unfit = /^$/u }: FamilyTests
): void => {
  // Hangs are what the time limit is for; how fast the machine is, is not.
  describe(`simulation of ${family.name}`, { timeout: 300_000 }, () => {
    it.live(`client and service agree in ${runs} scenarios of seed ${standardSeed}, in which every fault happens`, () =>
      Effect.gen(function* () {
        const tally = new Tally(family)
        const observe = (observation: Observation) => tally.add(observation)
        const result = yield* simulate(family, { client: family.client, runs, seed: standardSeed, observe })
        assert.strictEqual(result._tag, "Passed", report(family.name, result).join("\n"))
        assert.deepStrictEqual(
          tally.unseen().filter((name) => !unfit.test(name)),
          [],
          "faults that never happened"
        )
      })
    )

    it.live("is the same again with the same seed", () =>
      Effect.gen(function* () {
        const timelines: Array<ReadonlyArray<string>> = []
        const observe = (observation: Observation) => void timelines.push(family.timeline(observation))
        const options = { client: family.client, runs: 200, seed: 7, observe }
        yield* simulate(family, options)
        const first = timelines.splice(0)
        yield* simulate(family, options)
        assert.deepStrictEqual(timelines, first)
      })
    )

    if (Object.keys(broken).length === 0) return
    it.live.each(Object.entries(broken))("finds out a client that %s", ([, { client, complaint }]) =>
      Effect.gen(function* () {
        const options = { client, runs, seed: standardSeed, counts: ({ what }: Complaint) => complaint.test(what) }
        const result = yield* simulate(family, options)
        assert.strictEqual(result._tag, "Falsified")
      })
    )
  })
}
