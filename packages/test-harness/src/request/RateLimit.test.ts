import { assert, describe, it } from "@effect/vitest"
import { document, type Switches } from "../switches/Switches.ts"
import type { Buckets } from "../state/Buckets.ts"
import { type Allowance, takeToken } from "./RateLimit.ts"

const now = Date.parse("2026-11-21T07:00:00Z")
const switches = (values: Partial<Switches> = {}): Switches => ({
  ...document,
  "rateLimit.plan": "free",
  "rateLimit.headers": "present",
  "rateLimit.retryAfter": "seconds",
  ...values
})

/** The last of several requests at one time. */
const after = (count: number, buckets: Buckets = {}, at = now, values: Partial<Switches> = {}): Allowance => {
  let last: Allowance = { isAllowed: true, buckets, headers: {} }
  for (let taken = 0; taken < count; taken += 1)
    last = takeToken({ switches: switches(values), custom: undefined }, last.buckets, "events.list", at)
  return last
}

// 30 requests a second in a window of 5 s, and a tenth more.
const capacity = 165

describe("a bucket of the rate limit", () => {
  it("starts full, and reports the remaining tokens", () => {
    const { headers, isAllowed } = after(1)
    assert.isTrue(isAllowed)
    assert.deepStrictEqual(headers, {
      "ratelimit-limit": "150",
      "ratelimit-remaining": "164",
      "ratelimit-reset": "1",
      "ratelimit-policy": `150;w=5;burst=${capacity};comment="token bucket";category="global";cost="single";serviceLevel="free"`
    })
  })
  it("allows one request per token, and rejects the next one with Retry-After", () => {
    const last = after(capacity)
    assert.isTrue(last.isAllowed)
    assert.strictEqual(last.headers["ratelimit-remaining"], "0")
    assert.notProperty(last.headers, "retry-after")
    const refused = after(capacity + 1)
    assert.isFalse(refused.isAllowed)
    assert.include(refused.headers, { "ratelimit-remaining": "0", "ratelimit-reset": "1", "retry-after": "1" })
  })
  it("reports the time until it is full", () => {
    assert.strictEqual(after(61).headers["ratelimit-reset"], "3")
  })
  it("formats Retry-After according to the switch", () => {
    const hint = (form: Switches["rateLimit.retryAfter"]) =>
      after(capacity + 1, {}, now, { "rateLimit.retryAfter": form }).headers["retry-after"]
    assert.strictEqual(hint("http-date"), "Sat, 21 Nov 2026 07:00:01 GMT")
    assert.isUndefined(hint("absent"))
  })
  it("is refilled over time up to its capacity, never by a clock that was set back", () => {
    const { buckets } = after(capacity)
    const allowedAfter = (millis: number) => after(1, buckets, now + millis).isAllowed
    assert.deepStrictEqual([-60_000, 0, 33, 34].map(allowedAfter), [false, false, false, true])
    assert.strictEqual(after(1, buckets, now + 1_000).headers["ratelimit-remaining"], "29")
    assert.strictEqual(after(1, buckets, now + 3_600_000).headers["ratelimit-remaining"], String(capacity - 1))
  })
  it("is separate for event lists and writes", () => {
    const { buckets } = after(capacity + 1)
    const write = takeToken({ switches: switches(), custom: undefined }, buckets, "messages.markAs", now)
    assert.isTrue(write.isAllowed)
    assert.include(write.headers, { "ratelimit-limit": "100", "ratelimit-remaining": "109" })
    assert.isTrue(
      takeToken({ switches: switches(), custom: undefined }, write.buckets, "credentials.upsert", now).isAllowed
    )
    assert.isFalse(takeToken({ switches: switches(), custom: undefined }, write.buckets, "events.list", now).isAllowed)
  })
  it("does not exist without a plan, and sends no headers if they are off", () => {
    const off = takeToken(
      { switches: switches({ "rateLimit.plan": "off" }), custom: undefined },
      {},
      "events.list",
      now
    )
    assert.deepStrictEqual(off, { isAllowed: true, buckets: {}, headers: {} })
    assert.deepStrictEqual(after(1, {}, now, { "rateLimit.headers": "absent" }).headers, {})
  })
  it("is refilled in whole tokens when it is empty, and reports the time until the next one", () => {
    const rules = { "rateLimit.refill": "whole-tokens" } as const
    // Two tokens a second: one every 500 ms.
    const take = (buckets: Buckets, at: number) =>
      takeToken({ switches: switches(rules), custom: { requests: 2, windowMs: 1_000 } }, buckets, "events.list", at)
    const row = (last: Allowance) => [
      last.isAllowed,
      last.headers["ratelimit-remaining"],
      last.headers["ratelimit-reset"],
      last.headers["retry-after"]
    ]
    let last = take({}, now)
    const rows = [row(last)]
    for (const at of [100, 200, 640, 1_280, 1_900, 2_960, 3_000]) {
      last = take(last.buckets, now + at)
      rows.push(row(last))
    }
    assert.deepStrictEqual(rows, [
      [true, "1", "1", undefined],
      [true, "0", "1", undefined],
      [false, "0", "1", "1"],
      [true, "0", "1", undefined],
      [true, "0", "1", undefined],
      [true, "0", "1", undefined],
      [true, "1", "1", undefined],
      [true, "0", "0", undefined]
    ])
  })
  it("has the size of a custom limit, for all operations together and whatever the plan", () => {
    const rules = { switches: switches({ "rateLimit.plan": "off" }), custom: { requests: 2, windowMs: 10_000 } }
    const first = takeToken(rules, {}, "events.list", now)
    assert.include(first.headers, {
      "ratelimit-limit": "2",
      "ratelimit-remaining": "1",
      "ratelimit-policy": `2;w=10;burst=2;comment="token bucket";category="custom";cost="single";serviceLevel="custom"`
    })
    const second = takeToken(rules, first.buckets, "messages.markAs", now)
    const third = takeToken(rules, second.buckets, "events.list", now)
    assert.deepStrictEqual([second.isAllowed, third.isAllowed], [true, false])
    assert.include(third.headers, { "retry-after": "5" })
    const allowedAfter = (millis: number) => takeToken(rules, third.buckets, "events.list", now + millis).isAllowed
    assert.deepStrictEqual([4_999, 5_000].map(allowedAfter), [false, true])
  })
})
