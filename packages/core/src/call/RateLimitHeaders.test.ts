import { assert, describe, it } from "@effect/vitest"
import * as CallState from "./CallState.ts"
import { rateLimitReset, remember, retryHint, snapshotOf } from "./RateLimitHeaders.ts"
import { waitOf } from "./WaitForRateLimit.ts"

const now = 1_000_000

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

describe("waiting for the rate limit", () => {
  const none = { "ratelimit-remaining": "0", "ratelimit-reset": "5" }
  const of = (category: string) => ({ ...none, "ratelimit-policy": `100;w=60;category="${category}"` })
  it("lasts until the window ends, and no longer", () => {
    const state = CallState.make()
    assert.strictEqual(waitOf(state, "events.list", now), 0)
    remember(state, "events.list", snapshotOf(none, now), now, now)
    assert.strictEqual(waitOf(state, "events.list", now), 5000)
    assert.strictEqual(waitOf(state, "events.list", now + 4999), 1)
    assert.strictEqual(waitOf(state, "events.list", now + 9000), 0)
  })
  it("needs an end of the window, which the service did not say", () => {
    const state = CallState.make()
    remember(state, "events.list", snapshotOf({ "ratelimit-remaining": "0" }, now), now, now)
    assert.strictEqual(waitOf(state, "events.list", now), 0)
  })
  it("is kept when a later response does not state it", () => {
    const state = CallState.make()
    remember(state, "events.list", snapshotOf(none, now), now, now)
    remember(state, "events.list", snapshotOf({}, now), now, now)
    assert.strictEqual(waitOf(state, "events.list", now), 5000)
  })
  it("uses no memory for each of many categories", () => {
    const state = CallState.make()
    for (let request = 0; request < 100; request++) {
      remember(state, "events.list", snapshotOf(of(`category-${request}`), now), now, now)
      assert.strictEqual(waitOf(state, "events.list", now), 5000)
    }
    assert.isAtMost(state.windows.size, 10)
  })
  it("counts all operations together where the service names no category", () => {
    const state = CallState.make()
    remember(state, "events.list", snapshotOf(none, now), now, now)
    assert.strictEqual(waitOf(state, "messages.markAs", now), 5000)
  })
  it("reads a category with quotes and without, and no other part of the policy", () => {
    const state = CallState.make()
    for (const [policy, category] of [
      ['100;w=60;category="read-only"', "read-only"],
      ["100;w=60;category=write", "write"],
      ["100;w=60", ""]
    ] as const) {
      remember(state, "events.list", snapshotOf({ ...none, "ratelimit-policy": policy }, now), now, now)
      assert.strictEqual(state.categories.get("events.list"), category)
      assert.isTrue(state.windows.has(category))
    }
    assert.deepStrictEqual([...state.windows.keys()], ["read-only", "write", ""])
  })
  it("forgets a window whose end a later response does not state", () => {
    const state = CallState.make()
    remember(state, "events.list", snapshotOf(none, now), now, now)
    const open = snapshotOf({ "ratelimit-remaining": "0" }, now)
    remember(state, "events.list", open, now, now)
    assert.strictEqual(waitOf(state, "events.list", now), 0)
    assert.strictEqual(state.lastSnapshot, open)
  })
  it("is measured by the monotonic clock", () => {
    const state = CallState.make()
    remember(state, "events.list", snapshotOf(none, now), now, 70)
    assert.strictEqual(waitOf(state, "events.list", 70), 5000)
    assert.strictEqual(waitOf(state, "events.list", 5070), 0)
  })
  it("counts the categories that the service names apart", () => {
    const state = CallState.make()
    remember(state, "messages.markAs", snapshotOf({ ...of("write"), "ratelimit-remaining": "9" }, now), now, now)
    remember(state, "events.list", snapshotOf(of("read"), now), now, now)
    assert.strictEqual(waitOf(state, "events.list", now), 5000)
    assert.strictEqual(waitOf(state, "messages.markAs", now), 0)
    remember(state, "credentials.upsert", snapshotOf(of("write"), now), now, now)
    assert.strictEqual(waitOf(state, "messages.markAs", now), 5000)
  })
})

const answeredAt = Date.parse("2026-11-21T07:00:00Z")
const at = (milliseconds: number) => new Date(answeredAt + milliseconds).toUTCString()
const epoch = answeredAt / 1000

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
  it("is zero for a past date, and unknown for an invalid one", () => {
    assert.strictEqual(retryHint(503, { "retry-after": at(-9000) }, answeredAt), 0)
    assert.strictEqual(retryHint(503, { "retry-after": at(9000) }, answeredAt), 9000)
    for (const text of ["", " ", "1,5", "-3", "soon"]) {
      assert.strictEqual(retryHint(503, { "retry-after": text }, answeredAt), undefined)
    }
  })
})
