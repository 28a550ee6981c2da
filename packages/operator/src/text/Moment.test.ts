import { assert, describe, it } from "@effect/vitest"
import { age, duration, shortAge } from "./Moment.ts"

const now = Date.parse("2026-11-21T12:41:07.500Z")

describe("duration", () => {
  it.each([
    [-5, "0 ms"],
    [450, "450 ms"],
    [12_500, "12.5 s"],
    [59_990, "1m 0s"],
    [600_000, "10m 0s"],
    [11_100_000, "3h 5m"],
    [86_399_999, "1d 0h"],
    [999, "999 ms"],
    [999.6, "1000 ms"],
    [1000, "1.0 s"],
    [59_949, "59.9 s"],
    [59_950, "1m 0s"],
    [3_599_499, "59m 59s"],
    [3_599_500, "1h 0m"],
    [86_340_000, "23h 59m"],
    [86_400_000, "1d 0h"],
    [90_000_000, "1d 1h"],
    [187_200_000, "2d 4h"],
    [Number.NaN, "?"]
  ])("%i ms is %s", (milliseconds, shown) => {
    assert.strictEqual(duration(milliseconds), shown)
  })
})

describe("the bounds of ages", () => {
  const second = 1000
  it.each([
    [0, "<1 min", "just now"],
    [1, "<1 min", "just now"],
    [2, "<1 min", "2 s ago"],
    [59, "<1 min", "59 s ago"],
    [60, "1 min", "1 min ago"],
    [3599, "59 min", "59 min ago"],
    [3600, "1 h", "1 h ago"],
    [86_399, "23 h", "23 h ago"],
    [86_400, "24 h", "1 d ago"],
    [172_799, "47 h", "1 d ago"],
    [172_800, "2 d", "2 d ago"]
  ])("%i s are %s, or %s", (seconds, short, long) => {
    assert.strictEqual(shortAge(now - seconds * second, now), short)
    assert.strictEqual(age(now - seconds * second, now), long)
  })
  it("also look ahead, and name what is no time", () => {
    assert.strictEqual(age(now + 2 * second, now), "in 2 s")
    assert.strictEqual(age(now + 7200 * second, now), "in 2 h")
    assert.strictEqual(age(Number.NaN, now), "at no known time")
    assert.strictEqual(shortAge(Number.NaN, now), "")
  })
})
