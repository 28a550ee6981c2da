import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { brokenClients } from "./BrokenClients.ts"
import { replayOf } from "./RepeatToken.ts"
import { report } from "./Report.ts"
import { simulate } from "./Simulate.ts"

describe("the report of a failure", () => {
  it.live("begins with the one line that repeats the smallest scenario, and shows what happened", () =>
    Effect.gen(function* () {
      const broken = brokenClients["sends every request twice"]
      if (broken === undefined) return assert.fail("there is no such client")
      const { client, complaint } = broken
      const counts = ({ what }: { readonly what: string }) => complaint.test(what)
      const found = report(yield* simulate({ client, runs: 200, seed: 1, counts }))
      const token = /^pnpm simulate --repeat ([\w-]+)$/u.exec(found[0] ?? "")?.[1] ?? ""
      assert.include(found[1], "call 1 has 1 attempts in its log, the service saw 2 requests")
      assert.include(found.at(-1), "call 1: succeeds")
      const again = report(yield* simulate({ client, runs: 1, seed: 1, counts, repeat: replayOf(token) }))
      assert.deepStrictEqual(again, found)
    })
  )

  it("takes no other text for a token", () => {
    assert.isUndefined(replayOf("no token"))
  })
})
