import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { get } from "node:http"
import type { FakeClock } from "../clock/FakeClock.ts"
import { manualClock } from "../clock/ManualClock.ts"
import { createFake, expectFake, Fault } from "../index.ts"
import { listen } from "../server.ts"
import type { Switches } from "../switches/Switches.ts"
import { layer as fakeLayer } from "../effect.ts"

const waiting: Partial<Switches> = { "idempotency.sameBody": "replay", "idempotency.inFlight": "wait" }

const scene = (switches: Partial<Switches> = {}) => {
  const clock = manualClock()
  const fake = createFake({ data: "empty", clock, switches })
  const fill = () => {
    fake.addSubscriber({ subscriberId: "ana" })
    fake.addIntegration({ providerId: "fcm", identifier: "fcm-main" })
  }
  fill()
  /** The status of the response, or the code of the failure. */
  const upsert = (token: string, key: string): Promise<unknown> =>
    fake
      .fetch(`${fake.baseUrl}/v1/subscribers/ana/credentials`, {
        method: "PATCH",
        headers: {
          authorization: `ApiKey ${fake.apiKey}`,
          "content-type": "application/json",
          "idempotency-key": key
        },
        body: JSON.stringify({ providerId: "fcm", credentials: { deviceTokens: [token] } })
      })
      .then(
        ({ status }) => status,
        (error: { readonly cause: { readonly code: string } }) => error.cause.code
      )
  const holds = (token: string): boolean => JSON.stringify(fake.state().subscribers).includes(token)
  return { clock, fake, fill, holds, upsert }
}

describe("a delayed request", () => {
  it("waits for a key no longer than the key is reserved, even if nothing releases it", async () => {
    const { clock, fake, holds, upsert } = scene(waiting)
    using _ = fake.faults.add(Fault.reset({ at: "validated" }))
    assert.strictEqual(await upsert("first", "k"), "ECONNRESET")
    const others = [upsert("first", "k"), upsert("first", "k")]
    clock.advance(299_999)
    assert.isFalse(holds("first"))
    clock.advance(1)
    assert.deepStrictEqual(await Promise.all(others), [200, 200])
    assert.deepStrictEqual(
      fake.journal.entries().map(({ applied, replayed }) => [applied, replayed]),
      [
        [false, false],
        [true, false],
        [false, true]
      ]
    )
  })

  it("ends at a reset, and does not change the new state", async () => {
    for (const at of ["received", "validated", "committed", "answering"] as const) {
      const { clock, fake, fill, holds, upsert } = scene(waiting)
      using _ = fake.faults.add(Fault.latency(20_000, { at }))
      const first = upsert("before", "k")
      const second = upsert("before", "k")
      fake.reset()
      fill()
      assert.deepStrictEqual(await first, "UND_ERR_SOCKET")
      // Only at these points has the first one reserved the key, so that the second one waits.
      assert.deepStrictEqual(await second, at === "validated" ? "UND_ERR_SOCKET" : 200, at)
      clock.advance(600_000)
      assert.isFalse(holds("before"))
      assert.lengthOf(fake.journal.entries(), 0)
      assert.strictEqual(await upsert("after", "k"), 200)
      assert.isTrue(holds("after"))
    }
  })
})

describe("a delayed request whose client has left", () => {
  const path = "/v1/notifications"

  const delayed = () => {
    const clock = manualClock()
    const fake = createFake({ data: "empty", clock })
    const init = { headers: { authorization: `ApiKey ${fake.apiKey}` } }
    fake.faults.add(Fault.latency(200))
    return { clock, fake, init }
  }

  it("meets the faults that were armed when it arrived, and leaves later ones to the next request: fetch", async () => {
    const { clock, fake, init } = delayed()
    const earlier = fake.faults.add(Fault.status(503, { at: "committed" }))
    const controller = new AbortController()
    const left = fake.fetch(fake.baseUrl + path, { ...init, signal: controller.signal })
    controller.abort("left")
    const later = fake.faults.add(Fault.status(500))
    assert.strictEqual(await left.catch((reason: unknown) => reason), "left")
    clock.advance(200)
    assert.deepStrictEqual([earlier.fired(), later.fired()], [1, 0])
    assert.strictEqual((await fake.fetch(fake.baseUrl + path, init)).status, 500)
    assert.strictEqual(later.fired(), 1)
  })

  it("leaves to the next request a fault that was armed before the server saw it leave", async () => {
    const { clock, fake, init } = delayed()
    await using server = await listen(fake)
    const outcome = (tag: string) => expectFake(fake).waitFor(({ requests }) => requests[0]?.outcome._tag === tag)
    const request = get(server.url + path, { ...init, agent: false })
    request.on("error", () => {})
    await outcome("Pending")
    request.destroy()
    const later = fake.faults.add(Fault.status(500))
    await outcome("ClientDisconnected")
    clock.advance(200)
    assert.strictEqual(later.fired(), 0)
    assert.strictEqual((await fetch(server.url + path, init)).status, 500)
  })

  it("meets a fault that was armed during its delay while its client still waits", async () => {
    const { clock, fake, init } = delayed()
    const response = fake.fetch(fake.baseUrl + path, init)
    fake.faults.add(Fault.status(500))
    clock.advance(200)
    assert.strictEqual((await response).status, 500)
  })
})

/** Timers that keep this process running. */
const timers = (): number => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length

describe("a request that is delayed on the clock of the machine", () => {
  const path = "/v1/notifications"

  it("keeps the process running while its client waits: fetch", async () => {
    const fake = createFake({ data: "empty" })
    using _ = fake.faults.add(Fault.latency({ distribution: "uniform", fromMs: 3e9, toMs: 3e9 }, { at: "committed" }))
    const controller = new AbortController()
    const before = timers()
    const response = fake.fetch(`${fake.baseUrl}${path}`, {
      headers: { authorization: `ApiKey ${fake.apiKey}` },
      signal: controller.signal
    })
    const during = timers()
    controller.abort("enough")
    assert.deepStrictEqual([during, timers()], [before + 1, before])
    assert.strictEqual(await response.catch((reason: unknown) => reason), "enough")
  })

  it("keeps the process running while its client waits: layer", async () => {
    const fake = createFake({ data: "empty" })
    using _ = fake.faults.add(Fault.latency(3e9, { at: "committed" }))
    const request = HttpClientRequest.get(`${fake.baseUrl}${path}`, {
      headers: { authorization: `ApiKey ${fake.apiKey}` }
    })
    const before = timers()
    const fiber = Effect.runFork(Effect.provide(HttpClient.execute(request), fakeLayer(fake)))
    assert.lengthOf(fake.journal.entries(), 1)
    const during = timers()
    fiber.interruptUnsafe()
    assert.deepStrictEqual([during, timers()], [before + 1, before])
  })

  it("keeps the process running while its client waits: server", async () => {
    let released = 0
    const release = () => {
      released += 1
    }
    const clock: FakeClock = { now: () => 0, schedule: () => Object.assign(() => {}, { release }) }
    const fake = createFake({ data: "empty", clock })
    await using server = await listen(fake)
    using _ = fake.faults.add(Fault.latency(3e9, { at: "committed" }))
    const outcome = (tag: string) => expectFake(fake).waitFor(({ requests }) => requests[0]?.outcome._tag === tag)
    const request = get(server.url + path, { headers: { authorization: `ApiKey ${fake.apiKey}` }, agent: false })
    request.on("error", () => {})
    await outcome("Pending")
    assert.strictEqual(released, 0)
    request.destroy()
    await outcome("ClientDisconnected")
    assert.strictEqual(released, 1)
  })
})
