import { assert, describe, it } from "@effect/vitest"
import { rateLimitReset, retryHint } from "./RetryHint.ts"

const now = Date.parse("2026-11-21T07:00:00Z")
const at = (milliseconds: number) => new Date(now + milliseconds).toUTCString()
const epoch = now / 1000

describe("when the window of a rate limit ends", () => {
  const cases: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, number | undefined]> = [
    ["seconds", { "ratelimit-reset": "4" }, 4000],
    ["seconds under the older name", { "x-ratelimit-reset": " 4 " }, 4000],
    ["the newer name before the older", { "ratelimit-reset": "4", "x-ratelimit-reset": "9" }, 4000],
    ["a point in time", { "ratelimit-reset": String(epoch + 30) }, 30_000],
    ["a point in time by the clock of the service", { "ratelimit-reset": `${epoch + 100}`, date: at(70_000) }, 30_000],
    ["a point in time that is over", { "ratelimit-reset": String(epoch - 30) }, 0],
    ["the first number that is a point in time", { "ratelimit-reset": "1000000000" }, 0],
    ["the last number of seconds", { "ratelimit-reset": "999999999" }, 999_999_999_000],
    ["more than a number can say", { "ratelimit-reset": "9".repeat(40) }, Number.MAX_SAFE_INTEGER],
    ["no number", { "ratelimit-reset": "soon" }, undefined],
    ["negative", { "ratelimit-reset": "-4" }, undefined],
    ["nothing", {}, undefined]
  ]
  for (const [name, headers, expected] of cases) {
    it(name, () => {
      assert.strictEqual(rateLimitReset(headers, now), expected)
    })
  }
})

describe("how long the service asks to wait", () => {
  it("is the end of the window only where it answers for a rate limit", () => {
    const headers = { "ratelimit-reset": "4" }
    assert.strictEqual(retryHint(429, headers, now), 4000)
    assert.strictEqual(retryHint(503, headers, now), undefined)
    assert.strictEqual(retryHint(503, { ...headers, "retry-after": "2" }, now), 2000)
  })
  it("is nothing more where the date is over, and unknown where it is none", () => {
    assert.strictEqual(retryHint(503, { "retry-after": at(-9000) }, now), 0)
    assert.strictEqual(retryHint(503, { "retry-after": at(9000) }, now), 9000)
    for (const text of ["", " ", "1,5", "-3", "soon"]) {
      assert.strictEqual(retryHint(503, { "retry-after": text }, now), undefined)
    }
  })
})
