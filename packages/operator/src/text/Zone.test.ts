import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { afterEach } from "vitest"
import { width } from "./Width.ts"
import { timeZoneFrom, timeZones, unknownTimeZone, utc, zoneIn } from "./Zone.ts"

const now = Date.parse("2026-11-21T12:41:07.500Z")

const set = process.env["TZ"]

afterEach(() => {
  if (set === undefined) delete process.env["TZ"]
  else process.env["TZ"] = set
})

describe("a clock", () => {
  it("shows the time in its zone", () => {
    assert.strictEqual(utc.clock(now), "12:41:07")
    assert.strictEqual(utc.preciseClock(now), "12:41:07.500")
    assert.strictEqual(utc.date(now), "2026-11-21")
    const kolkata = zoneIn("Asia/Kolkata", now)
    assert.strictEqual(kolkata.preciseClock(now), "18:11:07.500")
    assert.strictEqual(kolkata.date(now + 6 * 3_600_000), "2026-11-22")
  })

  it("returns that there is no time", () => {
    for (const state of [utc.clock, utc.preciseClock, utc.date]) assert.strictEqual(state(Number.NaN), "no time")
  })
})

describe("moment", () => {
  it.each([
    ["2026-11-21T12:41:02.114Z", "12:41:02"],
    ["2026-11-20T12:41:02Z", "20 Nov 12:41"],
    ["2025-02-03T12:41:02Z", "3 Feb 2025"],
    ["yesterday\u001b[2J", "yesterday^[…"],
    [now, "12:41:07"],
    [undefined, "no time"]
  ])("%s is %s", (time, shown) => {
    assert.strictEqual(utc.moment(time, now), shown)
  })

  it("names every month", () => {
    const months = Array.from({ length: 12 }, (_, month) => utc.moment(Date.UTC(2020, month, 9), now))
    assert.deepStrictEqual(
      months.map((shown) => shown.split(" ")[1]),
      ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    )
  })

  it.effect.prop("uses at most twelve cells", [Schema.String], ([iso]) =>
    Effect.sync(() => {
      assert.isAtMost(width(utc.moment(iso, now)), 12)
    })
  )
})

describe("a day", () => {
  it("has its year where that is another, and starts at midnight of the zone", () => {
    assert.strictEqual(utc.dayName(Date.parse("2026-11-09T23:59:59Z"), now), "9 Nov")
    assert.strictEqual(utc.dayName(Date.parse("2025-11-09T00:00:00Z"), now), "9 Nov 2025")
    assert.strictEqual(utc.dayName(Number.NaN, now), "no time")
    assert.isFalse(utc.isSameDay(Date.parse("2026-11-20T23:59:59Z"), now))
    assert.isTrue(utc.isSameDay(Date.parse("2026-11-21T00:00:00Z"), now))
    const berlin = zoneIn("Europe/Berlin", now)
    assert.isTrue(berlin.isSameDay(Date.parse("2026-11-20T23:00:00Z"), now))
    assert.strictEqual(berlin.minute(Date.parse("2026-11-20T22:59:00Z"), now), "20 Nov 23:59")
    assert.strictEqual(berlin.minute(Date.parse("2026-11-20T23:00:00Z"), now), "00:00")
  })
})

describe("a zone", () => {
  it.each([
    ["UTC", "UTC", "Z", "12:41:07"],
    ["Europe/Madrid", "+01", "+01", "13:41:07"],
    ["America/St_Johns", "-03:30", "-03:30", "09:11:07"]
  ])("%s of the machine has the heading %s", (machine, heading, suffix, clock) => {
    process.env["TZ"] = machine
    const local = zoneIn("local", now)
    assert.deepStrictEqual([local.heading, local.suffix, local.clock(now)], [heading, suffix, clock])
    assert.deepStrictEqual(zoneIn("utc", now), utc)
  })

  it("has the offset that it has now, also for times before a change to summer time", () => {
    const summer = Date.parse("2026-07-01T12:00:00Z")
    assert.strictEqual(zoneIn("America/St_Johns", now).heading, "-03:30")
    assert.strictEqual(zoneIn("Europe/Berlin", summer).heading, "+02")
    assert.strictEqual(zoneIn("Europe/Berlin", now).clock(summer), "13:00:00")
  })

  it.each([
    ["UTC", "utc"],
    ["Local", "local"],
    ["europe/berlin", "Europe/Berlin"],
    ["Europe/Berln", undefined],
    ["", undefined]
  ])("is read from %j", (typed, name) => {
    assert.strictEqual(timeZoneFrom(typed), name)
  })

  it.each([
    ["Europe/Berln", 'unknown time zone "Europe/Berln"; did you mean Europe/Berlin? Expected utc, local or a name'],
    ["x9", 'unknown time zone "x9"; expected utc, local or a name such as Europe/Berlin']
  ])("rejects %s with what is allowed", (typed, message) => {
    assert.include(unknownTimeZone(typed), message)
  })

  it("has one of the names that are allowed", () => {
    assert.includeMembers([...timeZones()], ["utc", "local", "Europe/Berlin"])
  })
})
