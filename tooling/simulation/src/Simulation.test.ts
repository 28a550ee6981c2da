import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { standardRuns, standardSeed } from "./Arguments.ts"
import { shipped } from "./ClientUnderTest.ts"
import type { Observation } from "./Observation.ts"
import { report, Tally } from "./Report.ts"
import { simulate } from "./Simulate.ts"
import { timeline } from "./Timeline.ts"

// Hangs are what this is for; how fast the machine is, is not.
describe("the client as it ships", { timeout: 300_000 }, () => {
  it.live(`agrees with the service in ${standardRuns} scenarios of seed ${standardSeed}`, () =>
    Effect.gen(function* () {
      const tally = new Tally()
      const result = yield* simulate({
        client: shipped,
        runs: standardRuns,
        seed: standardSeed,
        observe: (observation) => tally.add(observation)
      })
      assert.strictEqual(result._tag, "Passed", report(result).join("\n"))
    })
  )

  it.live("does the same again with the same seed", () =>
    Effect.gen(function* () {
      const timelines: Array<ReadonlyArray<string>> = []
      const observe = (observation: Observation) => void timelines.push(timeline(observation))
      yield* simulate({ client: shipped, runs: 200, seed: 7, observe })
      const first = timelines.splice(0)
      yield* simulate({ client: shipped, runs: 200, seed: 7, observe })
      assert.deepStrictEqual(timelines, first)
    })
  )
})
