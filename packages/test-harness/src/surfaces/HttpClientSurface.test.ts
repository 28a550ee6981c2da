import { assert, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { inspect } from "node:util"
import { manualClock } from "../clock/ManualClock.ts"
import type { EnvironmentOptions } from "../environment/EnvironmentOptions.ts"
import { createFake, Fault } from "../index.ts"
import { layer as fakeLayer } from "../effect.ts"

const scene = (options: EnvironmentOptions = {}) => {
  const fake = createFake({ data: "empty", ...options })
  fake.addSubscriber({ subscriberId: "ana" })
  fake.addIntegration({ providerId: "fcm", identifier: "fcm-main" })
  const authorization = `ApiKey ${fake.apiKey}`
  const list = HttpClient.execute(
    HttpClientRequest.get(`${fake.baseUrl}/v1/notifications`, { headers: { authorization } })
  ).pipe(Effect.provide(fakeLayer(fake)))
  const upsert = HttpClient.execute(
    HttpClientRequest.patch(`${fake.baseUrl}/v1/subscribers/ana/credentials`, { headers: { authorization } }).pipe(
      HttpClientRequest.bodyJsonUnsafe({ providerId: "fcm", credentials: { deviceTokens: ["a"] } })
    )
  ).pipe(Effect.provide(fakeLayer(fake)))
  const outcome = () => fake.journal.entries().map(({ outcome: { _tag } }) => _tag)
  const passed = () => (fake.journal.entries()[0]?.points ?? []).map(({ point }) => point)
  return { fake, list, upsert, outcome, passed }
}

describe("fake.layer", () => {
  it.effect("uses the caller's clock: latency passes on the TestClock", () =>
    Effect.gen(function* () {
      const fake = createFake()
      const list = HttpClient.get(`${fake.baseUrl}/v1/notifications`, {
        headers: { authorization: `ApiKey ${fake.apiKey}` }
      }).pipe(Effect.provide(fakeLayer(fake)))
      using _ = fake.faults.add(Fault.latency(200))
      yield* TestClock.setTime(1_700_000_000_000)
      const fiber = yield* Effect.forkChild(list, { startImmediately: true })
      yield* TestClock.adjust(199)
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(1)
      const response = yield* Fiber.join(fiber)
      assert.strictEqual(response.headers["date"], "Tue, 14 Nov 2023 22:13:20 GMT")
      assert.strictEqual(fake.now(), 1_700_000_000_200)
    })
  )

  it.effect("spends no time on a body without delays, in any number of pieces", () =>
    Effect.gen(function* () {
      const { fake, list, outcome } = scene()
      using _held = fake.faults.add(Fault.latency(0))
      assert.strictEqual((yield* list).status, 200)
      const long = "x".repeat(100_000)
      using _status = fake.faults.add(Fault.status(503, { body: long }))
      using _slow = fake.faults.add(Fault.slowBody({ bytes: 1, everyMs: 0 }))
      const { text } = yield* list
      assert.strictEqual(yield* text, long)
      assert.deepStrictEqual(outcome(), ["Response", "Response"])
    })
  )

  it.effect("does not go back in time: earlier records are still there", () =>
    Effect.gen(function* () {
      const { fake, list } = scene()
      fake.addWorkflow({ identifier: "welcome", steps: [{ type: "email" }] })
      yield* TestClock.adjust("1 hour")
      const before = fake.now()
      fake.trigger({ workflow: "welcome", to: "ana" })
      const { json } = yield* list
      assert.lengthOf((yield* json as Effect.Effect<{ readonly data: ReadonlyArray<unknown> }>).data, 1)
      const now = fake.now()
      assert.isAtLeast(now, before)
      assert.isBelow(now - before, 60_000)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(fake.now(), now + 3_600_000)
      yield* list
      assert.strictEqual(fake.now(), now + 3_600_000)
    })
  )

  it.effect("keeps the clock that the environment was given", () =>
    Effect.gen(function* () {
      const clock = manualClock()
      const { fake, list } = scene({ clock })
      using _ = fake.faults.add(Fault.latency(200))
      const fiber = yield* Effect.forkChild(list, { startImmediately: true })
      yield* TestClock.adjust("1 hour")
      assert.isUndefined(fiber.pollUnsafe())
      clock.advance(200)
      assert.strictEqual((yield* Fiber.join(fiber)).status, 200)
    })
  )

  it.effect("interruption takes effect at once, is journalled, and processing continues", () =>
    Effect.gen(function* () {
      const { fake, outcome, upsert } = scene()
      using _ = fake.faults.add(Fault.latency(200, { at: "validated" }))
      const fiber = yield* Effect.forkChild(upsert, { startImmediately: true })
      yield* TestClock.adjust(100)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(outcome(), ["ClientDisconnected"])
      assert.isFalse(fake.journal.entries()[0]?.applied)
      yield* TestClock.adjust(100)
      assert.isTrue(fake.journal.entries()[0]?.applied)
      assert.deepStrictEqual(outcome(), ["ClientDisconnected"])
    })
  )

  it.effect("a hanging request ends only by interruption", () =>
    Effect.gen(function* () {
      const { fake, list, outcome } = scene()
      using _ = fake.faults.add(Fault.hang())
      const left = yield* Effect.forkChild(Effect.timeoutOption(list, "10 seconds"), { startImmediately: true })
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual((yield* Fiber.join(left))._tag, "None")
      assert.deepStrictEqual(outcome(), ["NoResponse"])
    })
  )

  it.effect("fails as the client over fetch does, with the cause that fetch gives", () =>
    Effect.gen(function* () {
      const { fake, list } = scene()
      using _ = fake.faults.add(Fault.reset())
      const error = yield* Effect.flip(list)
      assert.strictEqual(error.reason._tag, "TransportError")
      assert.instanceOf(error.reason.cause, TypeError)
      assert.deepInclude((error.reason.cause as TypeError).cause, { code: "ECONNRESET" })
    })
  )

  it.effect("a slow body arrives by the clock, whole or piece by piece", () =>
    Effect.gen(function* () {
      const { fake, list, passed } = scene()
      using _ = fake.faults.add(Fault.slowBody({ bytes: 16, everyMs: 100, times: 2 }))
      const response = yield* list
      const whole = yield* Effect.forkChild(response.text, { startImmediately: true })
      yield* TestClock.adjust(200)
      assert.isUndefined(whole.pollUnsafe())
      assert.notInclude(passed(), "answered")
      yield* TestClock.adjust("1 second")
      const text = yield* Fiber.join(whole)
      assert.deepInclude(JSON.parse(text), { data: [] })
      assert.include(passed(), "answered")

      const pieces = yield* Effect.forkChild(
        Effect.flatMap(list, ({ stream }) => Stream.runCollect(stream)),
        {
          startImmediately: true
        }
      )
      yield* TestClock.adjust("2 seconds")
      const lengths = (yield* Fiber.join(pieces)).map(({ length }) => length)
      assert.strictEqual(lengths[0], 16)
      assert.lengthOf(lengths, Math.ceil(text.length / 16))
    })
  )

  it.effect("a reader that stops reading stops a slow body", () =>
    Effect.gen(function* () {
      const { fake, list, passed } = scene()
      using _ = fake.faults.add(Fault.slowBody({ bytes: 1, everyMs: 1_000 }))
      const read = Effect.flatMap(list, ({ text }) => text)
      const left = yield* Effect.forkChild(Effect.timeoutOption(read, "3 seconds"), { startImmediately: true })
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* Fiber.join(left))._tag, "None")
      assert.notInclude(passed(), "answered")
    })
  )

  it.effect("a body that breaks off fails as a decode error with the cause that fetch gives", () =>
    Effect.gen(function* () {
      const { fake, list } = scene()
      using _ = fake.faults.add(Fault.cutBody({ afterBytes: 4, times: 2 }))
      const response = yield* list
      assert.strictEqual(response.status, 200)
      const error = yield* Effect.flip(response.text)
      assert(error.reason._tag === "DecodeError")
      assert.include(String(error.reason.response), `"status":200`)
      assert.include(inspect(error.reason.response), "_id: 'HttpClientResponse'")
      assert.isTrue(HttpIncomingMessage.TypeId in error.reason.response)
      assert.deepInclude((error.reason.cause as TypeError).cause, { code: "UND_ERR_SOCKET" })
      const seen: Array<Uint8Array> = []
      const broken = yield* Effect.flatMap(list, ({ stream }) =>
        Effect.flip(Stream.runForEach(stream, (piece) => Effect.sync(() => void seen.push(piece))))
      )
      assert.strictEqual(broken.reason._tag, "DecodeError")
      assert.deepStrictEqual(
        seen.map(({ length }) => length),
        [4]
      )
    })
  )

  it.effect("shows a response in every way that a client can read it", () =>
    Effect.gen(function* () {
      const { fake, list } = scene()
      const response = yield* list
      const text = yield* response.text
      assert.deepStrictEqual(yield* response.json, JSON.parse(text))
      assert.strictEqual(new TextDecoder().decode(yield* response.arrayBuffer), text)
      assert.strictEqual(yield* Stream.mkString(Stream.decodeText(response.stream)), text)
      assert.strictEqual(response.url, `${fake.baseUrl}/v1/notifications`)
      assert.deepInclude(response.toJSON(), { _id: "HttpClientResponse", status: 200 })
      const web = Option.getOrThrow(HttpClientResponse.toWeb(yield* list))
      assert.strictEqual(yield* Effect.promise(() => web.text()), text)
      const { reason } = yield* Effect.flip(response.formData)
      assert.strictEqual(reason._tag, "DecodeError")
    })
  )

  it.effect("needs no Response of the platform, which is slow to load, for status, headers, text and bytes", () =>
    Effect.gen(function* () {
      const { list } = scene()
      vi.stubGlobal("Response", undefined)
      yield* Effect.addFinalizer(() => Effect.sync(() => vi.unstubAllGlobals()))
      const response = yield* list
      const text = yield* response.text
      assert.strictEqual(response.status, 200)
      assert.strictEqual(response.headers["content-type"], "application/json; charset=utf-8")
      assert.strictEqual((yield* response.arrayBuffer).byteLength, text.length)
    })
  )

  it.effect("fails to stream a response without a body, as the client over fetch does", () =>
    Effect.gen(function* () {
      const { fake, list } = scene()
      using _ = fake.faults.add(Fault.status(204))
      const response = yield* list
      assert.strictEqual(yield* response.text, "")
      const { reason } = yield* Effect.flip(Stream.runDrain(response.stream))
      assert.strictEqual(reason._tag, "EmptyBodyError")
    })
  )
})
