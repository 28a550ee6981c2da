import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { manualClock } from "../clock/ManualClock.ts"
import { type ArmedFault, createFake, Fault, FaultNeverFired } from "../index.ts"
import type { EnvironmentOptions } from "../environment/EnvironmentOptions.ts"
import { addFault } from "../effect.ts"

interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly key?: string
}

const list: Asked = { method: "GET", path: "/v1/notifications" }
const upsert = (token: string, key?: string): Asked => ({
  method: "PATCH",
  path: "/v1/subscribers/ana/credentials",
  body: { providerId: "fcm", credentials: { deviceTokens: [token] } },
  ...(key === undefined ? {} : { key })
})

const scene = (options: EnvironmentOptions = {}) => {
  const clock = manualClock()
  const fake = createFake({ data: "empty", clock, ...options })
  fake.addSubscriber({ subscriberId: "ana" })
  fake.addIntegration({ providerId: "fcm", identifier: "fcm-main" })
  const ask = ({ body, key, method, path }: Asked): Promise<Response> =>
    fake.fetch(`${fake.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `ApiKey ${fake.apiKey}`,
        "content-type": "application/json",
        ...(key === undefined ? {} : { "idempotency-key": key })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  /** The status, or the code of the failure. */
  const outcome = (asked: Asked): Promise<unknown> =>
    ask(asked).then(
      ({ status }) => status,
      (error: { readonly cause: { readonly code: string } }) => error.cause.code
    )
  const met = () => fake.journal.entries().map(({ faults }) => faults)
  return { clock, fake, ask, outcome, met }
}

describe("Faults", () => {
  it("fires once, for the first matching request, and is journalled", async () => {
    const { fake, met, outcome } = scene()
    using fault = fake.faults.add(Fault.status(503, { operation: "credentials.upsert" }))
    assert.deepStrictEqual(
      [await outcome(list), await outcome(upsert("a")), await outcome(upsert("b"))],
      [200, 503, 200]
    )
    assert.strictEqual(fault.fired(), 1)
    assert.deepStrictEqual(met(), [[], ["status 503 at received"], []])
  })

  it("fires as often as specified", async () => {
    const { fake, outcome } = scene()
    using twice = fake.faults.add(Fault.status(503, { times: 2 }))
    assert.deepStrictEqual([await outcome(list), await outcome(list), await outcome(list)], [503, 503, 200])
    twice.remove()
    using always = fake.faults.add(Fault.reset({ times: "always" }))
    for (let at = 0; at < 5; at += 1) assert.strictEqual(await outcome(list), "ECONNRESET")
    assert.strictEqual(always.fired(), 5)
  })

  it("matches the nth attempt of a call, or one key", async () => {
    const { fake, outcome } = scene()
    using second = fake.faults.add(Fault.reset({ attempt: 2 }))
    using other = fake.faults.add(Fault.close({ key: "k2" }))
    assert.deepStrictEqual(
      [await outcome(upsert("a", "k1")), await outcome(upsert("a", "k2")), await outcome(upsert("a", "k1"))],
      [200, "UND_ERR_SOCKET", "ECONNRESET"]
    )
    assert.deepStrictEqual([second.fired(), other.fired()], [1, 1])
  })

  it("a request lost before the commit changes nothing; one lost after it is applied", async () => {
    for (const [at, applied] of [
      ["received", false],
      ["validated", false],
      ["committed", true],
      ["answering", true]
    ] as const) {
      const { fake, outcome } = scene()
      using _ = fake.faults.add(Fault.reset({ at }))
      assert.strictEqual(await outcome(upsert("a")), "ECONNRESET")
      assert.strictEqual(fake.journal.entries()[0]?.applied, applied, at)
    }
  })

  it("several faults apply to one request, in any order of arming", async () => {
    const { clock, fake, met, outcome } = scene()
    using _reset = fake.faults.add(Fault.reset({ at: "committed" }))
    using _latency = fake.faults.add(Fault.latency(200, { at: "committed" }))
    const lost = outcome(upsert("a"))
    clock.advance(200)
    assert.strictEqual(await lost, "ECONNRESET")
    assert.deepStrictEqual(met(), [["latency of 200 ms at committed", "reset at committed"]])
  })

  it("several changes apply to one body, in any order of arming", async () => {
    const { ask, fake, met } = scene()
    using _type = fake.faults.add(Fault.contentType("text/html"))
    using _malformed = fake.faults.add(Fault.malformedJson())
    using _drift = fake.faults.add(Fault.drift({ kind: "unknown-field" }))
    const response = await ask(list)
    assert.strictEqual(response.headers.get("content-type"), "text/html")
    assert.match(await response.text(), /"fieldOfTomorrow":"of-tomorrow",$/u)
    assert.lengthOf(met()[0] ?? [], 3)
  })

  it("mutually exclusive faults fire one after the other, in the order of arming", async () => {
    const { fake, outcome } = scene()
    fake.faults.add(Fault.status(503))
    fake.faults.add(Fault.rateLimited({ retryAfterMs: 1_000 }))
    fake.faults.add(Fault.html())
    assert.deepStrictEqual(
      [await outcome(list), await outcome(list), await outcome(list), await outcome(list)],
      [503, 429, 502, 200]
    )
  })

  it("probabilities depend on the seed, not on other armed faults", async () => {
    const play = async (seed: number, others: number) => {
      const { fake, outcome } = scene({ seed })
      for (let at = 0; at < others; at += 1) fake.faults.add(Fault.status(418, { operation: "events.list" }))
      fake.faults.add(Fault.status(503, { probability: 0.5 }))
      const statuses: Array<unknown> = []
      for (let at = 0; at < 40; at += 1) statuses.push(await outcome(upsert(`t${at}`)))
      return statuses
    }
    const alone = await play(7, 0)
    assert.deepStrictEqual(await play(7, 3), alone)
    assert.notDeepEqual(await play(8, 0), alone)
    const hits = alone.filter((status) => status === 503).length
    assert.isAbove(hits, 10)
    assert.isBelow(hits, 30)
  })

  it("a rate limit sends Retry-After in the requested format", async () => {
    const { ask, fake } = scene()
    fake.faults.add(Fault.rateLimited({ retryAfterMs: 2_000 }))
    fake.faults.add(Fault.rateLimited({ retryAfterMs: 2_000, as: "http-date" }))
    fake.faults.add(Fault.rateLimited({ retryAfterMs: "absent" }))
    assert.strictEqual((await ask(list)).headers.get("retry-after"), "2")
    assert.strictEqual((await ask(list)).headers.get("retry-after"), "Thu, 01 Jan 2026 00:00:02 GMT")
    const { headers } = await ask(list)
    assert.isNull(headers.get("retry-after"))
    assert.isNull(headers.get("ratelimit-reset"))
  })

  it("body faults do not apply to responses to HEAD", async () => {
    const { ask, fake } = scene()
    using cut = fake.faults.add(Fault.cutBody({ afterBytes: 0 }))
    using malformed = fake.faults.add(Fault.malformedJson())
    assert.strictEqual(await (await ask({ ...list, method: "HEAD" })).text(), "")
    assert.deepStrictEqual([cut.fired(), malformed.fired()], [0, 0])
    assert.deepInclude(fake.journal.entries()[0], { outcome: { _tag: "Response", status: 405 } })
    cut.remove()
    malformed.remove()
  })

  it("a fault that does not fit a body stays armed for the next one", async () => {
    const { ask, fake } = scene()
    using cut = fake.faults.add(Fault.drift({ kind: "unknown-enum-value" }))
    assert.deepInclude(await (await ask(list)).json(), { data: [] })
    assert.strictEqual(cut.fired(), 0)
    fake.addWorkflow({ identifier: "welcome", steps: [{ type: "email" }] })
    fake.trigger({ workflow: "welcome", to: "ana" })
    assert.include(await (await ask(list)).text(), "of-tomorrow")
  })

  it("leaving the scope disarms the fault, and throws if no request met it, naming the nearest", async () => {
    const { fake, outcome } = scene()
    await outcome(list)
    const leave = async () => {
      using _ = fake.faults.add(Fault.reset({ operation: "credentials.upsert", attempt: 2, at: "committed" }))
      await outcome(list)
      await outcome(upsert("a", "k"))
      await outcome({ ...upsert("a"), body: {} })
    }
    const error: unknown = await leave().catch((thrown: unknown) => thrown)
    assert.instanceOf(error, FaultNeverFired)
    assert.strictEqual(
      (error as FaultNeverFired).message,
      'fault "reset at committed" of credentials.upsert, attempt 2 never fired; nearest of 3 requests: ' +
        "#3 credentials.upsert, 200 OK: attempt 1; #4 credentials.upsert, 400 Bad Request: attempt 1; " +
        "#2 events.list, 200 OK: another operation, attempt 1"
    )
    assert.lengthOf(fake.faults.armed(), 0)
  })

  it("reports another request and another key, but no part of a request that fits", async () => {
    const { fake, outcome } = scene()
    fake.faults.add(Fault.hang({ at: "committed", request: 2, key: "k" }))
    for (const key of ["other", "k", undefined]) await outcome({ ...upsert("a", key), body: {} })
    const rejected = "credentials.upsert, 400 Bad Request"
    assert.deepStrictEqual(
      fake.faults.unfired().map(({ message }) => message),
      [
        'fault "hang at committed", request 2, key "k" never fired; nearest of 3 requests: ' +
          `#2 ${rejected}: it never reached committed; #1 ${rejected}: another request, another key; ` +
          `#3 ${rejected}: another request, no key`
      ]
    )
  })

  it("reports that no request came, or that none reached the point", async () => {
    const { fake, outcome } = scene()
    fake.faults.add(Fault.hang({ at: "committed", key: "k" }))
    assert.deepStrictEqual(
      fake.faults.unfired().map(({ message }) => message),
      ['fault "hang at committed", key "k" never fired; no request came']
    )
    await outcome({ ...upsert("a", "k"), body: {} })
    assert.include(
      fake.faults.unfired()[0]?.message,
      "#1 credentials.upsert, 400 Bad Request: it never reached committed"
    )
  })

  it("a fault with a probability is not reported if it did not fire by chance", async () => {
    const { fake, outcome } = scene()
    fake.faults.add(Fault.status(503, { probability: 0 }))
    assert.lengthOf(fake.faults.unfired(), 1)
    await outcome(list)
    assert.lengthOf(fake.faults.unfired(), 0)
  })

  it("does not hide the error of a test that fails while a fault is armed", () => {
    const { fake } = scene()
    const fail = () => {
      using _ = fake.faults.add(Fault.reset())
      throw new Error("of the test")
    }
    try {
      fail()
    } catch (error) {
      assert.strictEqual((error as { readonly suppressed: Error }).suppressed.message, "of the test")
      return
    }
    assert.fail("nothing was thrown")
  })

  it.effect("is not reported if it was disarmed on purpose", () =>
    Effect.gen(function* () {
      const { fake } = scene()
      const ways = [(armed: ArmedFault) => armed.remove(), fake.faults.clear, fake.reset]
      for (const takeAway of ways) {
        using armed = fake.faults.add(Fault.reset())
        takeAway(armed)
        yield* Effect.scoped(Effect.map(addFault(fake, Fault.close()), takeAway))
        assert.lengthOf(fake.faults.armed(), 0)
      }
    })
  )

  it("rejects an invalid fault, in one line", () => {
    const { fake } = scene()
    // Callers without types can give anything.
    assert.throws(
      () => fake.faults.add({ form: { _tag: "Flood" } } as never),
      /^fault\.form: must be an object whose _tag/u
    )
  })

  it.effect("is armed while its scope is open", () =>
    Effect.gen(function* () {
      const { fake, outcome } = scene()
      yield* Effect.scoped(
        Effect.gen(function* () {
          const fault = yield* addFault(fake, Fault.status(503))
          assert.strictEqual(yield* Effect.promise(() => outcome(list)), 503)
          assert.strictEqual(fault.fired(), 1)
        })
      )
      assert.lengthOf(fake.faults.armed(), 0)
    })
  )

  it.effect("closes its scope with a defect if it never fired, unless there is already a failure", () =>
    Effect.gen(function* () {
      const { fake } = scene()
      const armed = addFault(fake, Fault.status(503))
      const unfired = yield* Effect.exit(Effect.scoped(armed))
      assert.isTrue(Exit.hasDies(unfired))
      const failed = yield* Effect.exit(Effect.scoped(Effect.andThen(armed, Effect.fail("of the test"))))
      assert.deepStrictEqual(failed, Exit.fail("of the test"))
      assert.lengthOf(fake.faults.armed(), 0)
    })
  )
})
