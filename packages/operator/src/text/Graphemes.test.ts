import { assert, describe, it } from "@effect/vitest"
import { graphemes } from "./Graphemes.ts"

describe("graphemes", () => {
  it("keeps a mark with its letter", () => {
    assert.deepStrictEqual(graphemes("ae\u0301👍"), ["a", "e\u0301", "👍"])
    assert.deepStrictEqual(graphemes("ab"), ["a", "b"])
  })
})
