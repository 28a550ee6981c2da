import { assert, describe, it } from "@effect/vitest"
import { afterEach } from "vitest"
import { zoneAt } from "./Zone.ts"

const now = Date.parse("2026-11-21T12:00:00Z")

const set = process.env["TZ"]

afterEach(() => {
  if (set === undefined) delete process.env["TZ"]
  else process.env["TZ"] = set
})

describe("the zone of a table", () => {
  it.each([
    ["UTC", false, "time UTC", "11:58:39", "20 Nov 23:30"],
    ["Europe/Madrid", false, "time +01", "12:58:39", "00:30:00"],
    ["America/St_Johns", false, "time -03:30", "08:28:39", "20 Nov 20:00"],
    ["Europe/Madrid", true, "time UTC", "11:58:39", "20 Nov 23:30"]
  ])("in %s with --utc %s is named in the heading", (zone, utc, heading, today, before) => {
    process.env["TZ"] = zone
    const { moment, titled } = zoneAt(now, utc)
    assert.deepStrictEqual(
      [titled("time"), moment("2026-11-21T11:58:39.718Z"), moment("2026-11-20T23:30:00.000Z"), moment(undefined)],
      [heading, today, before, "no time"]
    )
  })
})
