import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { brokenCallers } from "./BrokenClients.ts"
import { calls } from "./calls/Calls.ts"
import type { Complaint } from "./Complaint.ts"
import { repeatOf } from "./RepeatToken.ts"
import { report } from "./Report.ts"
import { simulate } from "./Simulate.ts"

describe("the report of a failure", () => {
  it.live("begins with the one line that repeats the smallest scenario, and shows what happened", () =>
    Effect.gen(function* () {
      const broken = brokenCallers["sends every request twice"]
      if (broken === undefined) return assert.fail("there is no such client")
      const { client, complaint } = broken
      const options = { client, runs: 200, seed: 1, counts: ({ what }: Complaint) => complaint.test(what) }
      const found = report(calls.name, yield* simulate(calls, options))
      const token = /^pnpm simulate --repeat (calls\.[\w-]+)$/u.exec(found[0] ?? "")?.[1] ?? ""
      assert.include(found[1], "call 1 has 1 attempts in its log, the service saw 2 requests")
      assert.include(found.at(-1), "call 1: succeeds")
      const replay = repeatOf(token)?.replay
      const again = report(calls.name, yield* simulate(calls, { ...options, runs: 1, replay }))
      assert.deepStrictEqual(again, found)
    })
  )

  it("takes no other text for a token", () => {
    assert.isUndefined(repeatOf("no token"))
    assert.isUndefined(repeatOf("calls.W1"))
  })
})
