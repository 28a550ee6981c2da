import { assert, describe, it } from "vitest"
import { canonicalTime, isEarlier, timeAt } from "./FilterTime.ts"

describe("a point in time", () => {
  it.each([
    ["24h", "24h"],
    ["007D", "7d"],
    ["0s", "0s"],
    ["36500d", "36500d"],
    ["36501d", undefined],
    ["24", undefined],
    ["1M", undefined],
    ["24x", undefined],
    ["yesterday", undefined],
    ["2026-11-20", "2026-11-20"],
    ["2026-11-20T00:00Z", "2026-11-20"],
    ["2026-11-20 12:30", "2026-11-20T12:30Z"],
    ["2026-11-20T12:30:15.250Z", "2026-11-20T12:30:15.250Z"],
    ["2026-11-20t12:30z", "2026-11-20T12:30Z"],
    ["2026-11-20T01:30+02:00", "2026-11-19T23:30Z"],
    ["2026-02-30", undefined],
    ["2026-13-01", undefined]
  ])("%s: %s", (text, canonical) => {
    assert.strictEqual(canonicalTime(text), canonical)
  })

  it("is so long before now, or a date", () => {
    const now = Date.parse("2026-11-21T07:00:00Z")
    assert.strictEqual(timeAt("30m", now), Date.parse("2026-11-21T06:30:00Z"))
    assert.strictEqual(timeAt("2w", now), Date.parse("2026-11-07T07:00:00Z"))
    assert.strictEqual(timeAt("2026-11-20", now), Date.parse("2026-11-20T00:00:00Z"))
  })
})

describe("which of two is earlier", () => {
  it.each([
    ["2d", "24h", true],
    ["24h", "2d", false],
    ["24h", "1d", false],
    ["2026-11-19", "2026-11-20", true],
    ["2026-11-20", "2026-11-20", false],
    ["24h", "2026-11-20", undefined],
    ["2026-11-20", "24h", undefined]
  ])("%s before %s: %s", (one, other, expected) => {
    assert.strictEqual(isEarlier(one, other), expected)
  })
})
