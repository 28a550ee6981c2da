import { assert, describe, it } from "@effect/vitest"
import { rateLimitReset, reportedLimit, retryHint } from "./RateLimitHeaders.ts"

const now = 1_000_000

const snapshotOf = (headers: Readonly<Record<string, string>>, at: number) => reportedLimit(headers, at)?.snapshot

describe("the rate limit of a response", () => {
  it("is nothing without its headers, and without numbers in them", () => {
    assert.isUndefined(snapshotOf({}, now))
    assert.isUndefined(snapshotOf({ "ratelimit-limit": "many", "ratelimit-policy": "100;w=60" }, now))
  })
  it("is each part that is there", () => {
    assert.deepStrictEqual(snapshotOf({ "ratelimit-limit": "100" }, now), { limit: 100, observedAt: now })
    assert.deepStrictEqual(snapshotOf({ "ratelimit-remaining": "0" }, now), { remaining: 0, observedAt: now })
    assert.deepStrictEqual(snapshotOf({ "ratelimit-reset": "5" }, now), { resetAt: now + 5000, observedAt: now })
  })
  it("is read under the older names too, and from the first number of a list", () => {
    const headers = {
      "x-ratelimit-limit": "100, 100;w=60",
      "x-ratelimit-remaining": " 7",
      "x-ratelimit-reset": "5",
      "ratelimit-policy": "100;w=60"
    }
    assert.deepStrictEqual(snapshotOf(headers, now), {
      limit: 100,
      remaining: 7,
      resetAt: now + 5000,
      policy: "100;w=60",
      observedAt: now
    })
  })
})

const answeredAt = Date.parse("2026-11-21T07:00:00Z")
const at = (milliseconds: number) => new Date(answeredAt + milliseconds).toUTCString()
const epoch = answeredAt / 1000

describe("the structured form of the rate limit", () => {
  it("states the limit by its policy", () => {
    const headers = { ratelimit: '"default";r=7;t=5', "ratelimit-policy": '"default";q=100;w=60' }
    assert.deepStrictEqual(reportedLimit(headers, now), {
      snapshot: {
        limit: 100,
        remaining: 7,
        resetAt: now + 5000,
        policy: headers["ratelimit-policy"],
        observedAt: now
      },
      category: "default",
      rate: 100 / 60_000,
      remaining: 7,
      resetMs: 5000
    })
  })
  it("counts the limit with the fewest requests left", () => {
    const headers = {
      ratelimit: '"day";r=900;t=50000, "burst"; r=2; t=1, broken',
      "ratelimit-policy": '"day";q=1000;w=86400, "burst"; q=10; w=1'
    }
    const { category, rate, remaining, resetMs, snapshot } = reportedLimit(headers, now) ?? {}
    assert.deepStrictEqual([category, rate, remaining, resetMs], ["burst", 0.01, 2, 1000])
    assert.strictEqual(snapshot?.limit, 10)
  })
})

describe("the average rate that a service allows", () => {
  const rateOf = (policy: string) => reportedLimit({ "ratelimit-limit": "100", "ratelimit-policy": policy }, now)?.rate
  it("is known where the policy states the window of the limit", () => {
    assert.strictEqual(rateOf('100;w=5;burst=110;category="configuration"'), 0.02)
    assert.strictEqual(rateOf("10;w=1, 100;w=60"), 100 / 60_000)
    for (const policy of ["100", "10;w=1", "100;w=0", ""]) assert.isUndefined(rateOf(policy))
  })
})

describe("the category that a service counts an operation in", () => {
  it.each([
    ['100;w=60;category="read-only"', "read-only"],
    ["100;w=60;category=write", "write"],
    ["100;w=60", ""]
  ])("%s", (policy, category) => {
    assert.strictEqual(reportedLimit({ "ratelimit-limit": "100", "ratelimit-policy": policy }, now)?.category, category)
  })
})

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
    ["a point in time in milliseconds", { "x-ratelimit-reset": String(answeredAt + 1500) }, 1500],
    ["the first point in time in milliseconds", { "x-ratelimit-reset": "100000000000" }, 0],
    ["the first of several headers that a gateway joined", { "ratelimit-reset": "4, 9" }, 4000],
    ["the structured form", { ratelimit: '"default";r=0;t=3' }, 3000],
    [
      "the structured form, after the separate header",
      { ratelimit: '"default";r=0;t=3', "ratelimit-reset": "4" },
      4000
    ],
    ["the structured form without a reset", { ratelimit: '"default";r=0' }, undefined],
    ["more than a number can say", { "ratelimit-reset": "9".repeat(40) }, Number.MAX_SAFE_INTEGER],
    ["no number", { "ratelimit-reset": "soon" }, undefined],
    ["negative", { "ratelimit-reset": "-4" }, undefined],
    ["nothing", {}, undefined]
  ]
  for (const [name, headers, expected] of cases) {
    it(name, () => {
      assert.strictEqual(rateLimitReset(headers, answeredAt), expected)
    })
  }
})

describe("how long the service asks to wait", () => {
  it("is the end of the window only where it refers to a rate limit", () => {
    const headers = { "ratelimit-reset": "4" }
    assert.strictEqual(retryHint(429, headers, answeredAt), 4000)
    assert.strictEqual(retryHint(503, headers, answeredAt), undefined)
    assert.strictEqual(retryHint(503, { ...headers, "retry-after": "2" }, answeredAt), 2000)
  })
  it("is exact where the service states milliseconds", () => {
    assert.strictEqual(retryHint(503, { "retry-after-ms": "250" }, answeredAt), 250)
    assert.strictEqual(retryHint(429, { "retry-after-ms": "1250.5", "retry-after": "2" }, answeredAt), 1250.5)
    assert.strictEqual(retryHint(429, { "retry-after-ms": "soon", "retry-after": "2" }, answeredAt), 2000)
  })
  it("is the time until a point in time, in seconds or milliseconds since 1970", () => {
    assert.strictEqual(retryHint(429, { "retry-after": String(epoch + 30) }, answeredAt), 30_000)
    assert.strictEqual(retryHint(503, { "retry-after": String(answeredAt + 1500) }, answeredAt), 1500)
    assert.strictEqual(retryHint(429, { "retry-after": String(epoch - 30) }, answeredAt), 0)
  })
  it("is the longest of several headers that a gateway joined", () => {
    assert.strictEqual(retryHint(429, { "retry-after": "1, 2" }, answeredAt), 2000)
    assert.strictEqual(retryHint(429, { "retry-after": "1, soon" }, answeredAt), undefined)
  })
  it("is the reset of the structured form for a rate limit only", () => {
    assert.strictEqual(retryHint(429, { ratelimit: '"default";r=0;t=1' }, answeredAt), 1000)
    assert.strictEqual(retryHint(503, { ratelimit: '"default";r=0;t=1' }, answeredAt), undefined)
  })
  it("is zero for a past date, and unknown for an invalid one", () => {
    assert.strictEqual(retryHint(503, { "retry-after": at(-9000) }, answeredAt), 0)
    assert.strictEqual(retryHint(503, { "retry-after": at(9000) }, answeredAt), 9000)
    for (const text of ["", " ", "1,5", "-3", "soon"]) {
      assert.strictEqual(retryHint(503, { "retry-after": text }, answeredAt), undefined)
    }
  })
})
