import { assert, describe, it } from "@effect/vitest"
import type { EnvironmentOptions } from "../environment/EnvironmentOptions.ts"
import { createFake, expectFake, Fault, type ManualClock, manualClock } from "../index.ts"

const start = Date.parse("2026-01-01T00:00:00.000Z")

describe("ManualClock", () => {
  it("is stopped until it is moved", () => {
    const clock = manualClock()
    assert.strictEqual(clock.now(), start)
    clock.advance(250)
    assert.strictEqual(clock.now(), start + 250)
    clock.set("2026-02-01T00:00:00.000Z")
    assert.strictEqual(new Date(clock.now()).toISOString(), "2026-02-01T00:00:00.000Z")
    clock.set(new Date("2027-01-01"))
    clock.set(clock.now())
    assert.strictEqual(clock.now(), Date.parse("2027-01-01"))
  })

  it("starts at the given time", () => {
    for (const time of [5, new Date(5), "1970-01-01T00:00:00.005Z"]) assert.strictEqual(manualClock(time).now(), 5)
  })

  it("rejects an invalid time, and moving back", () => {
    const clock = manualClock(1_000)
    assert.throws(
      () => manualClock("soon"),
      RangeError,
      '"soon" is not a valid time; expected milliseconds since 1970 or an ISO'
    )
    assert.throws(() => clock.set(Number.NaN), RangeError, "clock: NaN is not a valid time")
    assert.throws(
      () => clock.set(999),
      RangeError,
      "cannot move back from 1970-01-01T00:00:01.000Z to 1970-01-01T00:00:00.999Z"
    )
    assert.throws(() => clock.advance(-1), RangeError, "advance must be milliseconds, 0 or more, not -1")
    assert.throws(() => clock.advance(Number.NaN), RangeError, "advance must be milliseconds, 0 or more, not NaN")
    // Callers without types can pass a string, which would be concatenated with the time.
    assert.throws(
      () => clock.advance("5" as unknown as number),
      RangeError,
      "advance must be milliseconds, 0 or more, not 5"
    )
    assert.throws(
      () => clock.schedule(Number.NaN, () => {}),
      RangeError,
      "schedule must be milliseconds, 0 or more, not NaN"
    )
    assert.strictEqual(clock.now(), 1_000)
  })

  it("does not move out of range, and stays at its time", async () => {
    const clock = manualClock(1_000)
    const wrong = [1e300, Infinity, Date.parse("9999-12-31T23:59:59.999Z")]
    for (const millis of wrong) {
      assert.throws(
        () => clock.advance(millis),
        RangeError,
        "milliseconds since 1970 is outside of the years 1 to 9999"
      )
      const error = await clock.advanceAsync(millis).catch((reason: unknown) => reason)
      assert.instanceOf(error, RangeError)
    }
    for (const time of [8.64e15, -8.64e15, new Date(8.64e15), "+010000-01-01T00:00:00Z"]) {
      assert.throws(() => manualClock(time), RangeError, "the years 1 to 9999")
    }
    assert.throws(() => clock.set(Infinity), RangeError, "the years 1 to 9999")
    assert.strictEqual(clock.now(), 1_000)
    clock.set("9999-12-31T23:59:59.999Z")
    assert.strictEqual(new Date(clock.now()).getUTCFullYear(), 9999)
  })

  /** Records events, each with the time at which it ran. */
  const happenings = (clock: ManualClock) => {
    const seen: Array<string> = []
    const note = (what: string) => () => void seen.push(`${what} at ${clock.now()}`)
    return { seen, note }
  }

  it("runs everything at its own time and in order; callbacks due together run in the order of scheduling", () => {
    const clock = manualClock(0)
    const { note, seen } = happenings(clock)
    clock.schedule(30, note("late"))
    clock.schedule(10, note("early"))
    clock.schedule(20, note("one"))
    clock.schedule(20, note("other"))
    clock.schedule(31, note("never"))
    clock.advance(30)
    assert.deepStrictEqual(seen, ["early at 10", "one at 20", "other at 20", "late at 30"])
    assert.strictEqual(clock.now(), 30)
  })

  it("runs callbacks that are scheduled while it moves", () => {
    const clock = manualClock(0)
    const { note, seen } = happenings(clock)
    clock.schedule(10, () => {
      clock.schedule(5, note("on the way"))
      clock.schedule(0, note("at once"))
      clock.schedule(50, note("too late"))
    })
    clock.schedule(20, note("as planned"))
    clock.advance(40)
    assert.deepStrictEqual(seen, ["at once at 10", "on the way at 15", "as planned at 20"])
  })

  it("does not run cancelled callbacks, even if they are cancelled while it moves", () => {
    const clock = manualClock(0)
    const { note, seen } = happenings(clock)
    const cancel = clock.schedule(20, note("cancelled"))
    clock.schedule(10, cancel)
    clock.schedule(30, note("kept"))
    clock.advance(100)
    cancel()
    assert.deepStrictEqual(seen, ["kept at 30"])
  })

  it("can be moved by a callback", () => {
    const clock = manualClock(0)
    const { note, seen } = happenings(clock)
    clock.schedule(10, () => clock.advance(100))
    clock.schedule(50, note("on the way"))
    clock.advance(20)
    assert.deepStrictEqual(seen, ["on the way at 50"])
    assert.strictEqual(clock.now(), 110)
  })

  it("waits for code that continues because of it", async () => {
    const clock = manualClock(0)
    const { note, seen } = happenings(clock)
    const passed = (millis: number) => new Promise<void>((resolve) => void clock.schedule(millis, resolve))
    const chain = async () => {
      for (const step of ["one", "two", "three"]) {
        await passed(10)
        note(step)()
      }
    }
    const done = chain()
    await clock.advanceAsync(25)
    assert.deepStrictEqual(seen, ["one at 10", "two at 20"])
    assert.strictEqual(clock.now(), 25)
    await clock.advanceAsync(5)
    await done
    assert.deepStrictEqual(seen.at(-1), "three at 30")
  })

  it("rejects a time that is out of range", async () => {
    const error = await manualClock(0)
      .advanceAsync(-1)
      .catch((reason: unknown) => reason)
    assert.instanceOf(error, RangeError)
  })
})

describe("a fake with a manual clock", () => {
  const scene = (options: EnvironmentOptions = {}) => {
    const clock = manualClock(start)
    const fake = createFake({ clock, ...options })
    const ask = async (path: string, init: RequestInit = {}, key?: string) => {
      const response = await fake.fetch(`${fake.baseUrl}${path}`, {
        ...init,
        headers: {
          authorization: `ApiKey ${fake.apiKey}`,
          "content-type": "application/json",
          ...(key === undefined ? {} : { "idempotency-key": key })
        }
      })
      const body: unknown = await response.json()
      return { status: response.status, headers: response.headers, body }
    }
    const upsert = (key?: string) =>
      ask(
        "/v1/subscribers/ana/credentials",
        { method: "PATCH", body: JSON.stringify({ providerId: "fcm", credentials: { deviceTokens: ["a"] } }) },
        key
      )
    return { clock, fake, ask, upsert }
  }

  it("dates its records and responses", async () => {
    const { ask, clock, fake } = scene({ data: "empty" })
    clock.set("2026-03-01T12:00:00.000Z")
    fake.addSubscriber({ subscriberId: "ana" })
    const { headers } = await ask("/v1/notifications")
    assert.strictEqual(headers.get("date"), "Sun, 01 Mar 2026 12:00:00 GMT")
    assert.strictEqual(fake.journal.entries()[0]?.at, Date.parse("2026-03-01T12:00:00.000Z"))
  })

  it("delays requests by the clock", async () => {
    const { ask, clock, fake } = scene()
    using _slow = fake.faults.add(Fault.latency(3_600_000))
    const answer = ask("/v1/notifications")
    clock.advance(3_599_999)
    assert.isUndefined(fake.journal.entries()[0]?.endedAt)
    clock.advance(1)
    assert.strictEqual((await answer).status, 200)
    assert.strictEqual(fake.journal.entries()[0]?.endedAt, start + 3_600_000)
  })

  it("stores responses for their keys by the clock", async () => {
    const { clock, fake, upsert } = scene({ data: "empty", switches: { "idempotency.sameBody": "replay" } })
    fake.addSubscriber({ subscriberId: "ana" })
    fake.addIntegration({ providerId: "fcm" })
    await upsert("k1")
    clock.advance(24 * 3_600_000 - 1)
    assert.strictEqual((await upsert("k1")).headers.get("idempotency-replay"), "true")
    expectFake(fake).appliedOnce()
    clock.advance(1)
    assert.isNull((await upsert("k1")).headers.get("idempotency-replay"))
    expectFake(fake).applied(2)
  })

  it("refills the rate limit by the clock", async () => {
    const { ask, clock } = scene({ data: "empty", switches: { "rateLimit.plan": "free" } })
    let last = await ask("/v1/notifications")
    while (last.status === 200) last = await ask("/v1/notifications")
    assert.strictEqual(last.status, 429)
    clock.advance(Number(last.headers.get("retry-after")) * 1_000 - 1_000)
    assert.strictEqual((await ask("/v1/notifications")).status, 429)
    clock.advance(1_000)
    assert.strictEqual((await ask("/v1/notifications")).status, 200)
  })

  it("runs the jobs of an event", async () => {
    const { ask, clock, fake } = scene()
    const { transactionId } = fake.trigger({ workflow: "welcome", to: "ana" })
    const statuses = async (): Promise<string> => {
      const { body } = await ask(`/v1/notifications?transactionId=${transactionId}`)
      return (
        JSON.stringify(body)
          .match(/"status":"[a-z]+"/gu)
          ?.join(" ") ?? ""
      )
    }
    const seen = [await statuses()]
    for (let day = 0; day < 3; day += 1) {
      clock.advance(24 * 3_600_000)
      seen.push(await statuses())
    }
    assert.isAbove(new Set(seen).size, 1, seen.join("\n"))
    clock.advance(24 * 3_600_000)
    assert.strictEqual(await statuses(), seen.at(-1))
  })

  it("responds to one request after the other while it moves", async () => {
    const { ask, clock, fake } = scene()
    using _slow = fake.faults.add(Fault.latency(100, { times: "always" }))
    const times: Array<number> = []
    const client = async () => {
      for (let page = 0; page < 3; page += 1) {
        await ask(`/v1/notifications?page=${page}`)
        times.push(clock.now() - start)
      }
    }
    const done = client()
    await clock.advanceAsync(1_000)
    await done
    assert.deepStrictEqual(times, [100, 200, 300])
  })
})
