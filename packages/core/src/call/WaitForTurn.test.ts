import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as TestClock from "effect/testing/TestClock"
import { clientLayer, makeTransport, page } from "../../test/transport/Transport.ts"
import { MaxConcurrency } from "../policies/MaxConcurrency.ts"
import * as Timeouts from "../policies/Timeouts.ts"
import { Events } from "../services/Events.ts"
import { withInfo } from "./CallInfo.ts"

/** A service that responds to a request when the test says so. */
const makeService = () => {
  const responses: Array<() => void> = []
  const transport = makeTransport(
    () => new Promise<Response>((resolve) => responses.push(() => resolve(Response.json(page()))))
  )
  return { transport, respond: () => responses.shift()?.() }
}

const listed = (name: string) => Events.use((events) => events.list({ search: name }))

const settled = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

describe("more calls than a client has in progress", () => {
  it.effect("wait for their turn in the order in which they arrived", () =>
    Effect.gen(function* () {
      const { respond, transport } = makeService()
      const names = Array.from({ length: 300 }, (_, index) => `call ${index}`)
      const fiber = yield* Effect.forkChild(
        Effect.forEach(names, listed, { concurrency: "unbounded" }).pipe(Effect.provide(clientLayer(transport))),
        { startImmediately: true }
      )
      assert.lengthOf(transport.sent, 256)
      while (transport.sent.length < 300) {
        respond()
        yield* settled
      }
      for (let left = 256; left > 0; left--) respond()
      assert.lengthOf(yield* Fiber.join(fiber), 300)
      assert.deepStrictEqual(
        transport.sent.map(({ url }) => url.searchParams.get("search")),
        names
      )
    })
  )
  it.effect("send nothing when they are interrupted, and leave their turn to others", () =>
    Effect.gen(function* () {
      const { respond, transport } = makeService()
      const client = clientLayer(transport)
      yield* Effect.gen(function* () {
        const calls = yield* Effect.forEach(["a", "b", "c", "d"], (name) =>
          Effect.forkChild(Effect.provideService(listed(name), MaxConcurrency, 1), { startImmediately: true })
        )
        const [, b, c, d] = calls
        if (b === undefined || c === undefined || d === undefined) return
        yield* Fiber.interrupt(b)
        respond()
        while (transport.sent.length < 2) yield* settled
        yield* Fiber.interrupt(c)
        while (transport.sent.length < 3) yield* settled
        respond()
        respond()
        yield* Fiber.join(d)
      }).pipe(Effect.provide(client))
      assert.deepStrictEqual(
        transport.sent.map(({ url }) => url.searchParams.get("search")),
        ["a", "c", "d"]
      )
    })
  )
  it.effect("fail at their deadline and say that nothing was sent", () =>
    Effect.gen(function* () {
      const transport = makeTransport(() => "never")
      const within = (call: number) => Effect.provideService(Timeouts.Timeouts, Timeouts.make({ call }))
      const calls = Effect.all(
        [Effect.flip(listed("a")).pipe(within(400)), Effect.flip(listed("b")).pipe(within(300))],
        { concurrency: 2 }
      )
      const fiber = yield* Effect.forkChild(
        calls.pipe(Effect.provideService(MaxConcurrency, 1), Effect.provide(clientLayer(transport))),
        { startImmediately: true }
      )
      yield* TestClock.adjust(400)
      const [, waiting] = yield* Fiber.join(fiber)
      assert.strictEqual(
        waiting?.message,
        "events.list failed: no turn under the limit of 1 concurrent requests within 300 ms. Allow more time. Nothing was sent."
      )
      assert.deepInclude(waiting?.reason, { _tag: "Timeout", scope: "call", limitMs: 300 })
      assert.lengthOf(transport.sent, 1)
    })
  )
})

describe("a call whose turn comes while the rate limit is exhausted", () => {
  it.effect("waits for the reset, and sends one request", () =>
    Effect.gen(function* () {
      const transport = makeTransport((_, number) =>
        Response.json(page(), {
          headers: { "ratelimit-remaining": number === 1 ? "0" : "9", "ratelimit-reset": "5" }
        })
      )
      const fiber = yield* Effect.forkChild(
        Effect.forEach(["a", "b"], (name) => withInfo(listed(name)), { concurrency: "unbounded" }).pipe(
          Effect.provideService(MaxConcurrency, 1),
          Effect.provideService(Random.Random, { nextDoubleUnsafe: () => 0, nextIntUnsafe: () => 0 }),
          Effect.provide(clientLayer(transport))
        ),
        { startImmediately: true }
      )
      yield* TestClock.adjust(4999)
      assert.lengthOf(transport.sent, 1)
      yield* TestClock.adjust(1)
      const calls = yield* Fiber.join(fiber)
      assert.lengthOf(transport.sent, 2)
      assert.deepStrictEqual(
        calls.map(({ call }) => call.attempts.map(({ delayMs, number, startedAt }) => [number, startedAt, delayMs])),
        [[[1, 0, 0]], [[1, 5000, 5000]]]
      )
    })
  )
})
