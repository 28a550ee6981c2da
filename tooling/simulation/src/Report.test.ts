import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { brokenCallers } from "./BrokenClients.ts"
import { calls } from "./calls/Calls.ts"
import type { Finding } from "./Finding.ts"
import { readToken, writeToken } from "./ReproductionToken.ts"
import { report, Tally } from "./Report.ts"
import { simulate } from "./Simulate.ts"

describe("the counts of a family", () => {
  it.each([
    [["reset at received", "hang at committed"], ["2 of 51 faults fired"]],
    // Crashes are not faults of a scenario.
    [[], []]
  ])("have a line about faults only where some fired: %j", (fired, expected) => {
    const tally = new Tally({ name: "outages", outcomes: () => [] })
    tally.add({ scenario: { faults: [] }, journal: [], fired })
    assert.deepStrictEqual(
      tally.lines().filter((line) => line.includes("fault")),
      expected
    )
  })
})

describe("the report of a failure", () => {
  it.live("starts with the command that reproduces the smallest scenario, and prints its timeline", () =>
    Effect.gen(function* () {
      const { client, finding } = brokenCallers["sends every request twice"]
      const options = { client, runs: 200, seed: 1, counts: ({ message }: Finding) => finding.test(message) }
      const found = report(calls.name, yield* simulate(calls, options))
      const token = /^pnpm simulate --reproduce (calls\.[\w-]+)$/u.exec(found[0] ?? "")?.[1] ?? ""
      assert.include(found[1], "the client reported 1 attempts, the service received 2 requests")
      assert.include(found.at(-1), "call 1: Value")
      const replay = readToken(token)?.replay
      const again = report(calls.name, yield* simulate(calls, { ...options, runs: 1, replay }))
      assert.deepStrictEqual(again, found)
    })
  )

  it("has tokens that stay the same, so that those of earlier versions still work", () => {
    const reproduction = { family: "calls", replay: '["v",1]' }
    assert.strictEqual(writeToken(reproduction), "calls.WyJ2IiwxXQ")
    assert.deepStrictEqual(readToken("calls.WyJ2IiwxXQ"), reproduction)
  })

  it("rejects strings that are not tokens", () => {
    assert.isUndefined(readToken("no token"))
    assert.isUndefined(readToken("calls.W1"))
  })
})
