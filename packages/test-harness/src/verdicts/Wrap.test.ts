import { assert, describe, it } from "@effect/vitest"
import { clipped, wrapped } from "./Wrap.ts"

describe("Wrap", () => {
  it("clips only strings that do not fit", () => {
    assert.deepStrictEqual([clipped("abcd", 4), clipped("abcde", 4), clipped("ab", 0)], ["abcd", "abc…", "…"])
  })

  it("breaks between words, and uses the full width", () => {
    assert.deepStrictEqual(wrapped("one two three four", 9), ["one two", "  three", "  four"])
    assert.deepStrictEqual(wrapped("one two", 7), ["one two"])
    assert.deepStrictEqual(wrapped("one two", 6), ["one", "  two"])
    assert.deepStrictEqual(wrapped("  one two", 7), ["  one", "  two"])
  })

  it("clips words that are longer than a line", () => {
    assert.deepStrictEqual(wrapped("abcdefgh ij", 5), ["abcd…", "  ij"])
    assert.deepStrictEqual(wrapped("", 5), [""])
  })
})
