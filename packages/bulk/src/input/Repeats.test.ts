import { assert, describe, it } from "@effect/vitest"
import { Repeats } from "./Repeats.ts"

describe("repeats", () => {
  it("reports each string that was added before, and no other", () => {
    const repeats = new Repeats()
    const added = Array.from({ length: 20_000 }, (_, at) => repeats.add(`line ${at % 15_000}`))
    assert.deepStrictEqual(
      added,
      Array.from({ length: 20_000 }, (_, at) => at >= 15_000)
    )
  })
})
