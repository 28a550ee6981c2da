import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { standardRuns, standardSeed } from "./Arguments.ts"
import { shipped } from "./ClientUnderTest.ts"
import type { Observation } from "./Observation.ts"
import { report, Tally } from "./Report.ts"
import { simulate } from "./Simulate.ts"
import { timeline } from "./Timeline.ts"

/** Found here, reported, and not yet corrected in the client; the command `simulate` complains about them too. */
const known = [/was told that nothing was done, and it was applied/u, /has status undefined, the service said \d+/u]

// Hangs are what this is for; how fast the machine is, is not.
describe("the client as it ships", { timeout: 300_000 }, () => {
  it.live(`agrees with the service in ${standardRuns} scenarios of seed ${standardSeed}`, () =>
    Effect.gen(function* () {
      const tally = new Tally()
      const result = yield* simulate({
        client: shipped,
        runs: standardRuns,
        seed: standardSeed,
        counts: ({ what }) => !known.some((pattern) => pattern.test(what)),
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
