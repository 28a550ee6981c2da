import { assert, describe } from "@effect/vitest"
import { it } from "../../test/It.ts"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as TestClock from "effect/testing/TestClock"
import { fork, clientLayer, makeTransport, page, type Respond } from "../../test/transport/Transport.ts"
import { Events } from "../services/Events.ts"
import * as RetryPolicy from "../policies/RetryPolicy.ts"
import { CallObserver } from "./CallInfo.ts"

const list = Events.use((events) => events.list())
const refusal = (status: number, headers: Record<string, string> = {}) => new Response(null, { status, headers })

/** The delay before each attempt of a call, with a draw of one's own. */
const delaysOf = Effect.fnUntraced(function* (respond: Respond, policy: RetryPolicy.RetryPolicy, draw = 1) {
  const fiber = yield* fork(
    Effect.flip(list).pipe(
      Effect.provideService(RetryPolicy.RetryPolicy, policy),
      Effect.provideService(Random.Random, { nextDoubleUnsafe: () => draw, nextIntUnsafe: () => 1 }),
      Effect.provide(clientLayer(makeTransport(respond)))
    )
  )
  yield* TestClock.adjust("2 minutes")
  return (yield* Fiber.join(fiber)).attempts.map(({ delayMs }) => delayMs)
})

describe("the delay before a retry", () => {
  it.effect("does not follow the hints of the service where the policy does not", function* () {
    const hinted: Respond = (_, number) => (number < 3 ? refusal(429, { "retry-after": "7" }) : refusal(404))
    const once = RetryPolicy.make({ maxRetries: 1 })
    assert.deepStrictEqual(yield* delaysOf(hinted, once, 0), [0, 7000, 7000])
    assert.deepStrictEqual(yield* delaysOf(hinted, once, 0.5), [0, 7700, 7700])
    assert.deepStrictEqual(yield* delaysOf(hinted, { ...once, honourRetryAfter: false }), [0, 240])
  })
  it.effect("is the random one when `Retry-After` is shorter or absent", function* () {
    const once = RetryPolicy.make({ maxRetries: 1 })
    // All calls wait for the rate limit, up to a fifth longer.
    assert.deepStrictEqual(yield* delaysOf(() => refusal(429, { "retry-after": "0" }), once), [0, 240])
    assert.deepStrictEqual(yield* delaysOf(() => refusal(429), once), [0, 240])
    assert.deepStrictEqual(yield* delaysOf(() => refusal(408), once), [0, 200])
  })
  it.effect("is reported to the observer before the wait, also for the rate limit", function* () {
    const waits: Array<number> = []
    const transport = makeTransport((_, number) =>
      number === 1
        ? refusal(503)
        : Response.json(page(), { headers: { "ratelimit-remaining": "0", "ratelimit-reset": "3" } })
    )
    const program = Effect.andThen(list, list).pipe(
      Effect.provideService(CallObserver, { onWait: (delayMs) => void waits.push(delayMs) }),
      Effect.provideService(Random.Random, { nextDoubleUnsafe: () => 0.5, nextIntUnsafe: () => 1 }),
      Effect.provide(clientLayer(transport))
    )
    const fiber = yield* fork(program)
    yield* TestClock.adjust("99 millis")
    assert.deepStrictEqual(waits, [100])
    assert.lengthOf(transport.sent, 1)
    yield* TestClock.adjust("1 second")
    assert.lengthOf(waits, 2)
    assert.isAtLeast(waits[1] ?? 0, 3000)
    yield* TestClock.adjust("1 minute")
    yield* Fiber.join(fiber)
    assert.lengthOf(transport.sent, 3)
  })
  it.effect("has whole milliseconds", function* () {
    const delays = yield* delaysOf(() => refusal(503), RetryPolicy.make({ maxRetries: 1 }), 0.1234)
    assert.deepStrictEqual(delays, [0, 25])
  })
})

describe("the quota cost of a retry", () => {
  const quota = { capacity: 30, cost: 14, rateLimitedCost: 5, refund: 1 }
  const policy = RetryPolicy.make({ maxRetries: 20, baseDelay: 0, quota })
  for (const [status, repeats] of [
    [503, 2],
    [429, 6]
  ] as const) {
    it.effect(`after ${status} leaves room for ${repeats} retries`, function* () {
      assert.strictEqual((yield* delaysOf(() => refusal(status), policy)).length, repeats + 1)
    })
  }
  it.effect("is refunded by successes, up to what retries took", function* () {
    const transport = makeTransport((_, number) => (number <= 3 || number === 5 ? Response.json(page()) : refusal(503)))
    const once = RetryPolicy.make({ maxRetries: 5, baseDelay: 0, quota: { ...quota, capacity: 14, refund: 7 } })
    const calls = Effect.forEach(Array.from({ length: 5 }), () => Effect.result(list))
    yield* calls.pipe(Effect.provideService(RetryPolicy.RetryPolicy, once), Effect.provide(clientLayer(transport)))
    // Three successes; a repeat that takes all and a success that gives half back; then nothing is left for a repeat.
    assert.strictEqual(transport.sent.length, 6)
  })
})

describe("the wait that the service requested", () => {
  // The call's deadline is after a minute.
  it.each([
    [1000, 1, 1200],
    [1000, 0, 1000],
    [55_000, 1, 59_999],
    [59_999, 1, 59_999]
  ])("of %i ms with a draw of %d", (hint, draw, expected) =>
    Effect.runPromise(
      Effect.gen(function* () {
        const respond: Respond = (_, number) =>
          number === 1 ? refusal(429, { "retry-after-ms": String(hint) }) : refusal(404)
        assert.deepStrictEqual(yield* delaysOf(respond, RetryPolicy.default, draw), [0, expected])
      }).pipe(Effect.provide(TestClock.layer()))
    )
  )
})
