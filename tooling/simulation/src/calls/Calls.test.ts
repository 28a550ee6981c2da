import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { standardSeed } from "../Arguments.ts"
import { testFamily } from "../FamilyTests.ts"
import { simulate } from "../Simulate.ts"
import { timelineOf } from "../Timeline.ts"
import * as Calls from "./Calls.ts"
import { clockSteps } from "./ClockSteps.ts"
import type { Observation } from "./Observation.ts"

for (const family of Object.values(Calls)) testFamily(family)
testFamily(clockSteps)

const { calls, fetches } = Calls

describe("the same calls over Effect's HTTP client and over fetch", { timeout: 300_000 }, () => {
  it.live("have the same timeline", () =>
    Effect.gen(function* () {
      const timelines: Array<ReadonlyArray<string>> = []
      // An interruption at the moment of the response may win or lose.
      const runsToItsEnd = ({ scenario }: Observation) =>
        scenario.calls.every(({ abortsAfter }) => abortsAfter === undefined)
      const observe = (observation: Observation) => {
        if (runsToItsEnd(observation)) timelines.push(timelineOf(calls, observation))
      }
      const options = { runs: 200, seed: standardSeed, observe }
      yield* simulate(calls, { ...options, client: calls.client })
      const first = timelines.splice(0)
      yield* simulate(fetches, { ...options, client: fetches.client })
      assert.isAbove(first.length, 50)
      assert.deepStrictEqual(timelines, first)
    })
  )
})
