import { assert, describe, it } from "@effect/vitest"
import { expectedOneOf, nearest } from "./Nearest.ts"

describe("nearest", () => {
  it.each([
    ["chanel", "channel"],
    ["sattus", "status"],
    ["STATUS", "status"],
    ["hcannel", "channel"],
    ["htcannel", undefined],
    ["sub", "subscriber"],
    ["su", "subscriber"],
    ["ch", "channel"],
    ["s", undefined],
    ["statsu", "status"],
    ["sttaus", "status"],
    ["stasut", "status"],
    ["taststus", undefined],
    ["ubsc", undefined],
    ["subscribers", "subscriber"],
    ["zzz", undefined],
    ["x", undefined],
    ["", undefined],
    ["x".repeat(5000), undefined]
  ])("%s was meant as %s", (typed, meant) => {
    assert.strictEqual(nearest(typed, ["channel", "status", "subscriber"]), meant)
  })

  it("returns the closest", () => {
    assert.strictEqual(nearest("baseUr", ["baseUrls", "baseUrl"]), "baseUrls")
    assert.strictEqual(nearest("vendr", ["vendors", "vendor"]), "vendor")
  })
})

it("ends a message with the nearest spelling and what is allowed", () => {
  const allowed = ["channel", "status"]
  assert.strictEqual(expectedOneOf("chanel", allowed), "did you mean channel? Expected one of: channel, status")
  assert.strictEqual(expectedOneOf("zzz", allowed), "expected one of: channel, status")
})
