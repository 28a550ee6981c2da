import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { age, clock, dayName, duration, isSameDay, moment, preciseClock, shortAge } from "./Moment.ts"
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
    ["2026-11-20T12:41:02Z", "20 Nov 12:41"],
    ["2025-02-03T12:41:02Z", "3 Feb 2025"],
    ["yesterday\u001b[2J", "yesterday^[…"],
    [undefined, "no time"]
  ])("%s is %s", (iso, shown) => {
    assert.strictEqual(moment(iso, now), shown)
  })

  it("names every month", () => {
    const months = Array.from({ length: 12 }, (_, month) =>
      moment(new Date(Date.UTC(2020, month, 9)).toISOString(), now)
    )
    assert.deepStrictEqual(
      months.map((shown) => shown.split(" ")[1]),
      ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    )
  })

  it.effect.prop("uses at most twelve cells", [Schema.String], ([iso]) =>
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

describe("shortAge", () => {
  const now = Date.parse("2026-11-21T12:00:00Z")

  it.each([
    [0, "<1 min"],
    [59, "<1 min"],
    [3599, "59 min"],
    [3600, "1 h"],
    [172_799, "47 h"],
    [172_800, "2 d"]
  ])("%i s ago: %s", (seconds, expected) => {
    assert.strictEqual(shortAge(now - seconds * 1000, now), expected)
  })

  it("is empty for no time", () => {
    assert.strictEqual(shortAge(Number.NaN, now), "")
  })
})

describe("dayName", () => {
  it("names the year where it is another", () => {
    const now = Date.parse("2026-11-21T12:00:00Z")
    assert.strictEqual(dayName(Date.parse("2026-11-09T23:59:59Z"), now), "9 Nov")
    assert.strictEqual(dayName(Date.parse("2025-11-09T00:00:00Z"), now), "9 Nov 2025")
    assert.isFalse(isSameDay(Date.parse("2026-11-20T23:59:59Z"), now))
    assert.isTrue(isSameDay(Date.parse("2026-11-21T00:00:00Z"), now))
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
    assert.strictEqual(dayName(Number.NaN, now), "no time")
    assert.strictEqual(dayName(now, now), "21 Nov")
    assert.strictEqual(dayName(now - 365 * 86_400 * second, now), "21 Nov 2025")
  })
})
