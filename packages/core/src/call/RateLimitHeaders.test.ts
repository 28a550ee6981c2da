import { assert, describe, it } from "@effect/vitest"
import * as CallState from "./CallState.ts"
import { holdBack, remember, snapshotOf } from "./RateLimitHeaders.ts"

const now = 1_000_000

describe("what an answer says about the rate limit", () => {
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

describe("holding back", () => {
  const none = { "ratelimit-remaining": "0", "ratelimit-reset": "5" }
  const of = (category: string) => ({ ...none, "ratelimit-policy": `100;w=60;category="${category}"` })
  it("lasts until the window ends, and no longer", () => {
    const state = CallState.make()
    assert.strictEqual(holdBack(state, "events.list", now), 0)
    remember(state, "events.list", none, now)
    assert.strictEqual(holdBack(state, "events.list", now), 5000)
    assert.strictEqual(holdBack(state, "events.list", now + 4999), 1)
    assert.strictEqual(holdBack(state, "events.list", now + 9000), 0)
  })
  it("needs an end of the window, which the service did not say", () => {
    const state = CallState.make()
    remember(state, "events.list", { "ratelimit-remaining": "0" }, now)
    assert.strictEqual(holdBack(state, "events.list", now), 0)
  })
  it("is not forgotten by an answer that says nothing", () => {
    const state = CallState.make()
    remember(state, "events.list", none, now)
    remember(state, "events.list", {}, now)
    assert.strictEqual(holdBack(state, "events.list", now), 5000)
  })
  it("counts all operations together where the service names no category", () => {
    const state = CallState.make()
    remember(state, "events.list", none, now)
    assert.strictEqual(holdBack(state, "messages.markAs", now), 5000)
  })
  it("counts the categories that the service names apart", () => {
    const state = CallState.make()
    remember(state, "messages.markAs", { ...of("write"), "ratelimit-remaining": "9" }, now)
    remember(state, "events.list", of("read"), now)
    assert.strictEqual(holdBack(state, "events.list", now), 5000)
    assert.strictEqual(holdBack(state, "messages.markAs", now), 0)
    remember(state, "credentials.upsert", of("write"), now)
    assert.strictEqual(holdBack(state, "messages.markAs", now), 5000)
  })
})
