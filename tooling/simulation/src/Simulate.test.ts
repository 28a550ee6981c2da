import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { calls } from "./calls/Calls.ts"
import { simulate } from "./Simulate.ts"

it.live("a simulation skips the scenarios for which there is no time", () =>
  Effect.gen(function* () {
    let observed = 0
    const isOver = () => observed === 3
    const observe = () => void (observed += 1)
    const result = yield* simulate(calls, { client: calls.client, runs: 20, seed: 1, isOver, observe })
    assert.deepStrictEqual([result._tag, observed], ["Passed", 3])
  })
)
