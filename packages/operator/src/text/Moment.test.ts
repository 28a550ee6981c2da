import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { age, clock, duration, moment, preciseClock } from "./Moment.ts"
import { width } from "./Width.ts"

const now = Date.parse("2026-11-21T12:41:07.500Z")

describe("clock", () => {
  it("shows the time in UTC", () => {
    assert.strictEqual(clock(now), "12:41:07")
    assert.strictEqual(preciseClock(now), "12:41:07.500")
    assert.strictEqual(clock(Number.NaN), "no time")
    assert.strictEqual(preciseClock(Number.NaN), "no time")
  })
})

describe("moment", () => {
  it.each([
    ["2026-11-21T12:41:02.114Z", "12:41:02"],
    ["2026-11-20T12:41:02Z", "Nov 20 12:41"],
    ["2025-02-03T12:41:02Z", "Feb 03 2025"],
    ["yesterday\u001b[2J", "yesterday^[…"],
    [undefined, "no time"]
  ])("%s is %s", (iso, shown) => {
    assert.strictEqual(moment(iso, now), shown)
  })

  it.effect.prop("takes at most twelve cells", [Schema.String], ([iso]) =>
    Effect.sync(() => {
      assert.isAtMost(width(moment(iso, now)), 12)
    })
  )
})

describe("duration", () => {
  it.each([
    [-5, "0 ms"],
    [450, "450 ms"],
    [12_500, "12.5 s"],
    [59_990, "1m 0s"],
    [600_000, "10m 0s"],
    [11_100_000, "3h 5m"],
    [86_399_999, "1d 0h"],
    [187_200_000, "2d 4h"],
    [Number.NaN, "?"]
  ])("%i ms is %s", (milliseconds, shown) => {
    assert.strictEqual(duration(milliseconds), shown)
  })
})

describe("age", () => {
  it.each([
    [0, "just now"],
    [37_000, "37 s ago"],
    [1_260_000, "21 min ago"],
    [7_200_000, "2 h ago"],
    [200_000_000, "2 d ago"],
    [-7_200_000, "in 2 h"],
    [Number.NaN, "at no known time"]
  ])("%i ms before is %s", (before, shown) => {
    assert.strictEqual(age(now - before, now), shown)
  })
})
