import { assert, describe, vi } from "@effect/vitest"
import { it } from "../../test/It.ts"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { fork, clientLayer, makeTransport, requirements, subscriber } from "../../test/transport/Transport.ts"
import * as IdempotencyPolicy from "../policies/IdempotencyPolicy.ts"
import * as RetryPolicy from "../policies/RetryPolicy.ts"
import * as Timeouts from "../policies/Timeouts.ts"
import { Credentials } from "../services/Credentials.ts"
import { anyProvider, type CredentialsInput } from "../services/CredentialsInput.ts"
import { CallState, make as makeState } from "./CallState.ts"

/** A service that responds to a request when the test says so, and how many requests it works on at the same time. */
const makeService = (status: () => number = () => 200) => {
  const waiting: Array<() => void> = []
  let inProgress = 0
  let most = 0
  const transport = makeTransport(
    () =>
      new Promise<Response>((resolve) => {
        most = Math.max(most, ++inProgress)
        waiting.push(() => {
          inProgress--
          resolve(Response.json(subscriber, { status: status() }))
        })
      })
  )
  const tokens = () => transport.sent.map(({ body }) => JSON.stringify(body).match(/t\d+/)?.[0] ?? "")
  return { transport, tokens, respond: () => waiting.shift()?.(), most: () => most }
}

const settled = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

const fcm = (token: string): CredentialsInput => ({ providerId: "fcm", credentials: { deviceTokens: [token] } })

const upsert = (input: CredentialsInput, subscriberId = "user-7") =>
  Credentials.use((credentials) => credentials.upsert(subscriberId, input))

const tokensUpTo = (count: number) => Array.from({ length: count }, (_, at) => `t${at}`)

describe("upserts of one subscriber and provider", () => {
  for (const [policy, idempotency] of [
    ["random", IdempotencyPolicy.random],
    ["derived", IdempotencyPolicy.derived("run")]
  ] as const) {
    it.effect(`are sent one after another, in the order in which they were made, with ${policy} keys`, function* () {
      const { most, respond, tokens, transport } = makeService()
      const all = yield* fork(
        Effect.forEach(tokensUpTo(8), (token) => upsert(fcm(token)), { concurrency: "unbounded" }).pipe(
          Effect.provideService(IdempotencyPolicy.IdempotencyPolicy, idempotency),
          Effect.provide(clientLayer(transport))
        )
      )
      for (let sent = 1; sent <= 8; sent++) {
        while (tokens().length < sent) yield* settled
        respond()
      }
      yield* Fiber.join(all)
      assert.deepStrictEqual(tokens(), tokensUpTo(8))
      assert.strictEqual(most(), 1)
    })
  }
  it.effect("wait for each other whatever their integration and fields", function* () {
    const { most, respond, transport } = makeService()
    const inputs: ReadonlyArray<CredentialsInput> = [
      { providerId: "slack", credentials: { webhookUrl: "https://hooks.example.com/1" } },
      anyProvider("slack", { channel: "one" }),
      { ...anyProvider("slack", { channel: "two" }), integrationIdentifier: "second" }
    ]
    const all = yield* fork(
      Effect.forEach(inputs, (input) => upsert(input), { concurrency: 3 }).pipe(Effect.provide(clientLayer(transport)))
    )
    while (transport.sent.length < 3) {
      respond()
      yield* settled
    }
    respond()
    yield* Fiber.join(all)
    assert.strictEqual(most(), 1)
  })
  it.effect("do not wait for other subscribers and providers", function* () {
    const { most, respond, transport } = makeService()
    const all = yield* fork(
      Effect.all(
        [
          upsert(fcm("t0")),
          upsert(fcm("t1"), "user-8"),
          upsert({ providerId: "expo", credentials: { deviceTokens: ["t2"] } })
        ],
        { concurrency: 3 }
      ).pipe(Effect.provide(clientLayer(transport)))
    )
    while (transport.sent.length < 3) yield* settled
    for (let left = 3; left > 0; left--) respond()
    yield* Fiber.join(all)
    assert.strictEqual(most(), 3)
  })
  it.effect("send nothing when they are interrupted while they wait, and those behind them proceed", function* () {
    const { respond, tokens, transport } = makeService()
    yield* Effect.gen(function* () {
      const [, second, third, fourth] = yield* Effect.forEach(tokensUpTo(4), (token) => fork(upsert(fcm(token))))
      if (second === undefined || third === undefined || fourth === undefined) return
      yield* Fiber.interrupt(second)
      respond()
      while (tokens().length < 2) yield* settled
      // In progress, and with one more behind it.
      yield* Fiber.interrupt(third)
      while (tokens().length < 3) yield* settled
      respond()
      respond()
      yield* Fiber.join(fourth)
    }).pipe(Effect.provide(clientLayer(transport)))
    assert.deepStrictEqual(tokens(), ["t0", "t2", "t3"])
  })
  it.effect("fail at their deadline while they wait and report that nothing was sent", function* () {
    const { respond, tokens, transport } = makeService()
    const within = (call: number) => Effect.provideService(Timeouts.Timeouts, Timeouts.make({ call }))
    yield* Effect.gen(function* () {
      const [first, second, third] = yield* Effect.all([
        fork(upsert(fcm("t0")).pipe(within(9_000))),
        fork(Effect.flip(upsert(fcm("t1"))).pipe(within(300))),
        fork(upsert(fcm("t2")).pipe(within(9_000)))
      ])
      yield* TestClock.adjust(299)
      assert.isUndefined(second.pollUnsafe())
      yield* TestClock.adjust(1)
      const error = yield* Fiber.join(second)
      assert.strictEqual(error.reason._tag, "Timeout")
      assert.deepStrictEqual([error.attempts.length, error.mayHaveBeenApplied], [0, false])
      assert.include(error.message, "earlier calls for the same entry did not finish within 300 ms")
      assert.include(error.message, "Nothing was sent.")
      respond()
      yield* Fiber.join(first)
      while (tokens().length < 2) yield* settled
      respond()
      yield* Fiber.join(third)
    }).pipe(Effect.provide(clientLayer(transport)))
    assert.deepStrictEqual(tokens(), ["t0", "t2"])
  })
  it.effect(
    "proceed when the one before them has passed the limit of its attempt, and its timers do not run",
    function* () {
      vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
      const { respond, tokens, transport } = makeService()
      yield* Effect.gen(function* () {
        const clock = yield* Clock.Clock
        // As on Workers after the end of the request.
        const ended: Clock.Clock = Object.assign(Object.create(clock), { sleep: () => Effect.never })
        yield* fork(Effect.provideService(upsert(fcm("t0")), Clock.Clock, ended))
        const second = yield* fork(upsert(fcm("t1")))
        const check = Effect.andThen(
          TestClock.adjust(1_000),
          Effect.sync(() => vi.advanceTimersByTime(1_000))
        )
        yield* TestClock.adjust(15_000)
        yield* check
        yield* settled
        assert.deepStrictEqual(tokens(), ["t0"])
        yield* check
        while (tokens().length < 2) yield* settled
        respond()
        respond()
        yield* Fiber.join(second)
      }).pipe(Effect.provide(clientLayer(transport)), Effect.ensuring(Effect.sync(() => vi.useRealTimers())))
      assert.deepStrictEqual(tokens(), ["t0", "t1"])
    }
  )
  it.effect("are rejected without waiting when they are invalid", function* () {
    const { transport } = makeService()
    yield* Effect.gen(function* () {
      yield* fork(upsert(fcm("t0")))
      const wrong = { providerId: "fcm", credentials: { deviceTokens: [7] } } as unknown as CredentialsInput
      const error = yield* Effect.flip(upsert(wrong))
      assert.strictEqual(error.reason._tag, "InvalidRequest")
    }).pipe(Effect.provide(clientLayer(transport)))
  })
  it.effect("proceed after a failed one, and leave nothing behind in the state of the client", function* () {
    let responses = 0
    const { respond, tokens, transport } = makeService(() => (++responses === 1 ? 500 : 200))
    const state = makeState()
    const all = yield* fork(
      Effect.forEach(tokensUpTo(3), (token) => Effect.exit(upsert(fcm(token))), { concurrency: 3 }).pipe(
        Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.none),
        Effect.provide(
          Credentials.layer.pipe(Layer.provide(Layer.succeed(CallState, state)), Layer.provide(requirements(transport)))
        )
      )
    )
    assert.strictEqual(state.writes.size, 1)
    for (let sent = 1; sent <= 3; sent++) {
      while (tokens().length < sent) yield* settled
      respond()
    }
    const exits = yield* Fiber.join(all)
    assert.deepStrictEqual(
      exits.map(({ _tag }) => _tag),
      ["Failure", "Success", "Success"]
    )
    assert.strictEqual(state.writes.size, 0)
  })
})
