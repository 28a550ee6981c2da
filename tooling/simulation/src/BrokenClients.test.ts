import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { standardRuns, standardSeed } from "./Arguments.ts"
import { brokenClients } from "./BrokenClients.ts"
import { simulate } from "./Simulate.ts"

describe("the simulation finds out a client that", { timeout: 300_000 }, () => {
  it.live.each(Object.entries(brokenClients))("%s", ([, { client, complaint }]) =>
    Effect.gen(function* () {
      const result = yield* simulate({
        client,
        runs: standardRuns,
        seed: standardSeed,
        counts: ({ what }) => complaint.test(what)
      })
      assert.strictEqual(result._tag, "Falsified")
    })
  )
})
