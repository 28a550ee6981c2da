import { assert, describe, it } from "@effect/vitest"
import { counted } from "./Counted.ts"

describe("counted", () => {
  it("has one of a thing, and several things", () => {
    assert.deepStrictEqual(
      [0, 1, 2].map((count) => counted(count, "token")),
      ["0 tokens", "1 token", "2 tokens"]
    )
    assert.deepStrictEqual(
      [1, 2].map((count) => counted(count, "entry", "entries")),
      ["1 entry", "2 entries"]
    )
  })
})
