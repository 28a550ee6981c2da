import { assert, describe, it } from "@effect/vitest"
import { nearest } from "./Nearest.ts"

describe("the nearest name", () => {
  const names = ["list.badLimit", "list.badPage", "envelope"]

  it.each([
    ["list.badLimt", "list.badLimit"],
    ["list.BADPAGE", "list.badPage"],
    ["envelop", "envelope"],
    ["something.else", undefined],
    ["x", undefined],
    ["", undefined]
  ])("of %s is %s", (word, expected) => {
    assert.strictEqual(nearest(word, names), expected)
  })
})
