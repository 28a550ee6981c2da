import { assert, describe, it } from "@effect/vitest"
import { httpDate } from "./HttpDate.ts"

describe("httpDate", () => {
  it.each([
    [0, "Thu, 01 Jan 1970 00:00:00 GMT"],
    [-1, "Wed, 31 Dec 1969 23:59:59 GMT"],
    [1_767_225_661_999, "Thu, 01 Jan 2026 00:01:01 GMT"],
    [1e300, "Fri, 31 Dec 9999 23:59:59 GMT"],
    [Infinity, "Fri, 31 Dec 9999 23:59:59 GMT"],
    [-1e300, "Sat, 01 Jan 0000 00:00:00 GMT"]
  ])("returns %d as a date with a year of four digits", (millis, expected) => {
    assert.strictEqual(httpDate(millis), expected)
    assert.strictEqual(httpDate(millis), expected)
  })
})
