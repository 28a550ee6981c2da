import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { standardRuns, standardSeed } from "./Arguments.ts"
import { brokenCallers, brokenWalkers } from "./BrokenClients.ts"
import { calls } from "./calls/Calls.ts"
import type { Complaint } from "./Complaint.ts"
import { simulate } from "./Simulate.ts"
import { walks } from "./walks/Walks.ts"

const standard = { runs: standardRuns, seed: standardSeed }

const matching =
  (pattern: RegExp) =>
  ({ what }: Complaint) =>
    pattern.test(what)

describe("the simulation finds out a client that", { timeout: 300_000 }, () => {
  it.live.each(Object.entries(brokenCallers))("%s", ([, { client, complaint }]) =>
    Effect.gen(function* () {
      const result = yield* simulate(calls, { client, ...standard, counts: matching(complaint) })
      assert.strictEqual(result._tag, "Falsified")
    })
  )

  it.live.each(Object.entries(brokenWalkers))("%s on a walk", ([, { client, complaint }]) =>
    Effect.gen(function* () {
      const result = yield* simulate(walks, { client, ...standard, counts: matching(complaint) })
      assert.strictEqual(result._tag, "Falsified")
    })
  )
})
