import { assert, describe } from "@effect/vitest"
import { it } from "../../test/It.ts"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import {
  fork,
  apiKey,
  clientLayer,
  connectionError,
  makeTransport,
  page,
  type Respond,
  requirements,
  type Transport
} from "../../test/transport/Transport.ts"
import { Credentials } from "../services/Credentials.ts"
import { Events } from "../services/Events.ts"
import { Messages } from "../services/Messages.ts"
import * as IdempotencyPolicy from "./IdempotencyPolicy.ts"
import * as RetryPolicy from "./RetryPolicy.ts"
import * as Timeouts from "./Timeouts.ts"

/** Draws the upper bound of every delay. */
const fullDelay = Effect.provideService(Random.Random, {
  nextDoubleUnsafe: () => 1,
  nextIntUnsafe: () => 1
})

const list = Events.use((events) => events.list()).pipe(fullDelay)

/** A value of a caller without types, or with those of another version. */
const wrong = (value: unknown) => value as never

const status = (code: number, headers: Record<string, string> = {}) => new Response(null, { status: code, headers })
const answer = () => Response.json(page())

/** Starts a list call and hands over what was sent, and the fiber. */
const start = Effect.fnUntraced(function* (respond: Respond, effect: typeof list = list) {
  const transport = makeTransport(respond)
  const fiber = yield* fork(effect.pipe(Effect.provide(clientLayer(transport)), Effect.result))
  return { transport, fiber }
})

/** The number of requests after each of these points in time, in milliseconds. */
const requestsAt = Effect.fnUntraced(function* (sent: ReadonlyArray<unknown>, times: ReadonlyArray<number>) {
  const counts: Array<number> = []
  let now = 0
  for (const time of times) {
    yield* TestClock.adjust(time - now)
    now = time
    counts.push(sent.length)
  }
  return counts
})

describe("delays", () => {
  it.effect("double from 200 ms, and stop after two retries", function* () {
    const { fiber, transport } = yield* start(() => status(503))
    assert.deepStrictEqual(yield* requestsAt(transport.sent, [0, 199, 200, 599, 600, 60_000]), [1, 1, 2, 2, 3, 3])
    const result = yield* Fiber.join(fiber)
    assert.strictEqual(result._tag, "Failure")
    if (result._tag === "Failure") {
      const { attempts } = result.failure
      assert.deepStrictEqual(
        attempts.map(({ delayMs, retryReason, startedAt }) => [delayMs, retryReason, startedAt]),
        [
          [0, undefined, 0],
          [200, "ServerFailure", 200],
          [400, "ServerFailure", 600]
        ]
      )
    }
  })
  it.effect("are drawn below the bound", function* () {
    const half = Events.use((events) => events.list()).pipe(
      Effect.provideService(Random.Random, { nextDoubleUnsafe: () => 0.5, nextIntUnsafe: () => 1 })
    )
    const { transport } = yield* start(() => status(503), half)
    assert.deepStrictEqual(yield* requestsAt(transport.sent, [99, 100, 299, 300]), [1, 2, 2, 3])
  })
  it.effect("stop growing at the largest one", function* () {
    const policy = RetryPolicy.make({ maxRetries: 4, baseDelay: 1000, maxDelay: "2 seconds" })
    const { transport } = yield* start(() => status(503), Effect.provideService(list, RetryPolicy.RetryPolicy, policy))
    assert.deepStrictEqual(yield* requestsAt(transport.sent, [1000, 3000, 5000, 7000]), [2, 3, 4, 5])
  })
})

const date = (milliseconds: number) => new Date(milliseconds).toUTCString()

describe("hints of the service", () => {
  const wait = (header: Record<string, string>) => (_: unknown, number: number) =>
    number === 1 ? status(429, header) : answer()
  const cases: ReadonlyArray<readonly [string, Record<string, string>, number]> = [
    ["seconds", { "retry-after": "7" }, 7000],
    ["parts of a second", { "retry-after": "1.5" }, 1500],
    ["a date", { "retry-after": date(9000) }, 9000],
    ["a date by the clock of the service", { "retry-after": date(109_000), date: date(100_000) }, 9000],
    ["a date in the past", { "retry-after": date(-9000) }, 200],
    ["zero", { "retry-after": "0" }, 200],
    ["negative", { "retry-after": "-3" }, 200],
    ["malformed", { "retry-after": "soon" }, 200],
    ["empty", { "retry-after": "" }, 200],
    ["reset of the window", { "ratelimit-reset": "4" }, 4000],
    ["both: the first has precedence", { "retry-after": "2", "ratelimit-reset": "4" }, 2000]
  ]
  for (const [name, headers, expected] of cases) {
    it.effect(name, function* () {
      const { transport } = yield* start(wait(headers))
      // With up to a fifth on top, so that not all clients come back at once.
      assert.deepStrictEqual(yield* requestsAt(transport.sent, [expected - 1, expected * 1.2]), [1, 2])
    })
  }
  for (const hint of ["60", "99999999999999999999"]) {
    it.effect(`${hint} s do not fit the deadline: fails at once and carries the hint`, function* () {
      const { fiber, transport } = yield* start(wait({ "retry-after": hint }))
      const result = yield* Fiber.join(fiber)
      assert.strictEqual(transport.sent.length, 1)
      assert.strictEqual(result._tag, "Failure")
      if (result._tag === "Failure" && result.failure.reason._tag === "RateLimited") {
        assert.strictEqual(result.failure.reason.retryAfterMs, Math.min(Number.MAX_SAFE_INTEGER, Number(hint) * 1000))
      }
    })
  }
})

describe("a wait in words", () => {
  for (const [seconds, words] of [
    ["9.9991", "10000 ms"],
    ["10", "10 s"],
    ["61.2", "62 s"],
    ["599.1", "600 s"],
    ["600", "10 min"],
    ["3590.002", "60 min"]
  ] as const) {
    it.effect(`${seconds} s: ${words}`, function* () {
      const once = Effect.provideService(list, RetryPolicy.RetryPolicy, RetryPolicy.none)
      const { fiber } = yield* start(() => status(429, { "retry-after": seconds }), once)
      const result = yield* Fiber.join(fiber)
      assert.strictEqual(result._tag === "Failure" && result.failure.advice, `Retry after ${words}.`)
    })
  }
})

describe("time limits", () => {
  it.effect("an attempt without a response times out after 15 s, the call after 60 s", function* () {
    const policy = RetryPolicy.make({ maxRetries: 100, baseDelay: 0 })
    const { fiber, transport } = yield* start(
      () => "never",
      Effect.provideService(list, RetryPolicy.RetryPolicy, policy)
    )
    yield* TestClock.adjust(14_999)
    assert.deepStrictEqual(transport.aborted, [])
    yield* TestClock.adjust(1)
    assert.deepStrictEqual(transport.aborted, [1])
    yield* TestClock.adjust(44_999)
    assert.strictEqual(fiber.pollUnsafe(), undefined)
    yield* TestClock.adjust(1)
    const result = yield* Fiber.join(fiber)
    if (result._tag === "Failure" && result.failure.reason._tag === "Timeout") {
      assert.deepStrictEqual([result.failure.reason.scope, result.failure.reason.limitMs], ["call", 60_000])
      assert.strictEqual(result.failure.attempts.length, 4)
    } else assert.fail("expected a timeout")
  })
  it.effect("a body that stalls after its headers is a timeout", function* () {
    const stalled = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([123])) })
    const once = Effect.provideService(list, RetryPolicy.RetryPolicy, RetryPolicy.none)
    const { fiber } = yield* start(() => new Response(stalled, { status: 200 }), once)
    yield* TestClock.adjust("15 seconds")
    const result = yield* Fiber.join(fiber)
    assert.strictEqual(result._tag === "Failure" && result.failure.reason._tag, "Timeout")
  })
  it.effect("interruption ends an exchange and a delay at once", function* () {
    const exchange = yield* start(() => "never")
    yield* Fiber.interrupt(exchange.fiber)
    assert.deepStrictEqual(exchange.transport.aborted, [1])
    const delay = yield* start(() => status(503))
    yield* Fiber.interrupt(delay.fiber)
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(delay.transport.sent.length, 1)
  })
})

describe("the quota of a client", () => {
  const policy = RetryPolicy.make({ maxRetries: 1, baseDelay: 0, quota: { capacity: 30, cost: 14, refund: 14 } })
  it.effect("is drained by retries, stops retries when empty, and is refilled by successes", function* () {
    let isWell = false
    const transport = makeTransport(() => (isWell ? answer() : status(503)))
    const counts = yield* Effect.gen(function* () {
      const once = Effect.ignore(list)
      const each: Array<number> = []
      for (const well of [false, false, false, true, false]) {
        isWell = well
        const before = transport.sent.length
        yield* once
        each.push(transport.sent.length - before)
      }
      return each
    }).pipe(Effect.provideService(RetryPolicy.RetryPolicy, policy), Effect.provide(clientLayer(transport)))
    assert.deepStrictEqual(counts, [2, 2, 1, 1, 2])
  })
  it.effect("is not shared between two clients", function* () {
    const transport = makeTransport(() => status(503))
    const small = RetryPolicy.make({ maxRetries: 1, baseDelay: 0, quota: { capacity: 14 } })
    const once = Effect.ignore(list).pipe(Effect.provideService(RetryPolicy.RetryPolicy, small))
    yield* once.pipe(Effect.provide(clientLayer(transport)))
    yield* once.pipe(Effect.provide(clientLayer(transport)))
    assert.strictEqual(transport.sent.length, 4)
  })
})

describe("the three spellings of a policy", () => {
  const times = Effect.fnUntraced(function* (build: (layer: Layer.Layer<Events>) => Effect.Effect<unknown>) {
    const transport = makeTransport(() => status(503))
    yield* build(Events.layer.pipe(Layer.provide(requirements(transport))))
    return transport.sent.length
  })
  const once = Effect.ignore(list)
  const never = RetryPolicy.layer(RetryPolicy.none)
  const five = RetryPolicy.layer(RetryPolicy.make({ maxRetries: 4, baseDelay: 0 }))
  it.effect("provided at the call", function* () {
    const count = yield* times((events) =>
      once.pipe(Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.none), Effect.provide(events))
    )
    assert.strictEqual(count, 1)
  })
  it.effect("merged with the service", function* () {
    assert.strictEqual(yield* times((events) => Effect.provide(once, Layer.merge(events, never))), 1)
  })
  it.effect("provided to the layer of the service", function* () {
    assert.strictEqual(yield* times((events) => Effect.provide(once, events.pipe(Layer.provide(five)))), 5)
    const direct = makeTransport(() => status(503))
    yield* once.pipe(Effect.provide(Events.layer.pipe(Layer.provide(never), Layer.provide(requirements(direct)))))
    assert.strictEqual(direct.sent.length, 1)
  })
  it.effect("the call has precedence over the layer", function* () {
    const transport = makeTransport(() => status(503))
    yield* once.pipe(
      Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ maxRetries: 1, baseDelay: 0 })),
      Effect.provide(Events.layer.pipe(Layer.provide(never), Layer.provide(requirements(transport))))
    )
    assert.strictEqual(transport.sent.length, 2)
  })
})

describe("device tokens", () => {
  it.effect("never double on a service that ignores keys", function* () {
    const stored: Array<string> = []
    const transport = makeTransport(({ body }) => {
      const { credentials } = body as { readonly credentials: { readonly deviceTokens: ReadonlyArray<string> } }
      stored.push(...credentials.deviceTokens)
      return connectionError("ECONNRESET")
    })
    const error = yield* Credentials.use((credentials) =>
      credentials.upsert("user-7", { providerId: "fcm", credentials: { deviceTokens: ["token-one"] } })
    ).pipe(Effect.flip, Effect.provide(clientLayer(transport)))
    assert.deepStrictEqual(stored, ["token-one"])
    assert.include(error.message, "Not retried: a retry could append credentials.deviceTokens twice.")
  })
  it.effect("are retried once the service has replayed a response to a key of this client", function* () {
    const transport = makeTransport((_, number) =>
      number === 1
        ? new Response(null, { status: 201, headers: { "idempotency-replay": "true" } })
        : connectionError("ECONNRESET")
    )
    const upsert = Credentials.use((credentials) =>
      credentials.upsert("user-7", { providerId: "fcm", credentials: { deviceTokens: ["token-one"] } })
    ).pipe(Effect.ignore, Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ baseDelay: 0 })))
    yield* Effect.andThen(upsert, upsert).pipe(Effect.provide(clientLayer(transport)))
    assert.strictEqual(transport.sent.length, 4)
  })
})

describe("what is known of delivery", () => {
  const failures = [
    ["a reset", () => connectionError("ECONNRESET")],
    ["a gateway's 503", () => status(503)],
    ["a key in flight", () => status(409, { "retry-after": "0" })]
  ] as const
  for (const [name, first] of failures) {
    it.effect(`is in doubt after ${name}, although the last attempt was refused`, function* () {
      const transport = makeTransport((_, number) => (number === 1 ? first() : connectionError("ECONNREFUSED")))
      const { mayHaveBeenApplied, message, reason } = yield* Credentials.use((credentials) =>
        credentials.upsert("user-7", { providerId: "slack", credentials: { webhookUrl: "https://hook.test/1" } })
      ).pipe(
        Effect.flip,
        Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ baseDelay: 0 })),
        Effect.provide(clientLayer(transport))
      )
      assert.strictEqual(transport.sent.length, 3)
      assert.deepInclude(reason, { _tag: "TransportFailure", delivery: "unknown", code: "ECONNREFUSED" })
      assert.include(message, "an earlier one may have arrived")
      assert.include(message, "Check the base URL and the network, then retry.")
      assert.isTrue(mayHaveBeenApplied)
    })
  }
  it.effect("may have been applied too when the last attempt got a response", function* () {
    const transport = makeTransport((_, number) => (number === 1 ? connectionError("ECONNRESET") : status(404)))
    const { mayHaveBeenApplied, message, advice } = yield* Credentials.use((credentials) =>
      credentials.upsert("user-7", { providerId: "slack", credentials: { webhookUrl: "https://hook.test/1" } })
    ).pipe(
      Effect.flip,
      Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ baseDelay: 0 })),
      Effect.provide(clientLayer(transport))
    )
    assert.isTrue(mayHaveBeenApplied)
    assert.strictEqual(advice, "Check the identifiers and the environment of the API key.")
    assert.strictEqual(message, `credentials.upsert failed after 2 attempts: 404 Not Found. ${advice}`)
  })
  it.effect(
    "is in doubt after a repeated time limit of an attempt, and not after the only wait for the key",
    function* () {
      const mark = Messages.use((messages) => messages.markAs("user-7", { messageId: "m1", markAs: "read" })).pipe(
        Effect.provideService(Timeouts.Timeouts, Timeouts.make({ attempt: "1 second", call: "2 seconds" })),
        Effect.flip
      )
      const failureOf = Effect.fnUntraced(function* (effect: typeof mark, transport: Transport, key = apiKey) {
        const keys = key === "never" ? Effect.never : Effect.succeed(Redacted.make(key))
        const provided = Effect.provide(effect, clientLayer(transport, { apiKey: keys }))
        const fiber = yield* fork(provided)
        yield* TestClock.adjust("1 minute")
        return yield* Fiber.join(fiber)
      })
      const sent = yield* failureOf(
        mark,
        makeTransport(() => "never")
      )
      assert.strictEqual(sent.reason._tag, "Timeout")
      assert.isTrue(sent.mayHaveBeenApplied)
      const notSent = yield* failureOf(
        mark,
        makeTransport(() => "never"),
        "never"
      )
      assert.isFalse(notSent.mayHaveBeenApplied)
      assert.strictEqual(notSent.advice, "Allow more time. Nothing was sent.")
    }
  )
  it.effect("is one attempt where TLS fails, also where Bun does not tell whether the request was sent", function* () {
    const { fiber, transport } = yield* start(() => connectionError("EPROTO"))
    const { message } = yield* Effect.flip(Effect.fromResult(yield* Fiber.join(fiber)))
    assert.strictEqual(transport.sent.length, 1)
    assert.strictEqual(
      message,
      "events.list failed: connection failed with EPROTO. Check the base URL: does the server use TLS on this port?"
    )
  })
  it.effect("stays not sent where no attempt can have arrived", function* () {
    const transport = makeTransport((_, number) => (number === 1 ? status(429) : connectionError("ECONNREFUSED")))
    const { reason } = yield* list.pipe(
      Effect.flip,
      Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ baseDelay: 0 })),
      Effect.provide(clientLayer(transport))
    )
    assert.deepInclude(reason, { _tag: "TransportFailure", delivery: "not-sent" })
  })
})

describe("make", () => {
  it("fills in defaults", () => {
    assert.deepStrictEqual(RetryPolicy.make({}), RetryPolicy.default)
    assert.deepStrictEqual(RetryPolicy.make({ maxRetries: undefined, quota: { cost: undefined } }), RetryPolicy.default)
    assert.deepStrictEqual(Timeouts.make({}), Timeouts.default)
    assert.deepStrictEqual(Timeouts.make({ attempt: undefined, call: Infinity }), {
      attemptMs: 15_000,
      callMs: Infinity
    })
  })
  const { default: standard } = RetryPolicy
  const parts = "maxRetries, baseDelayMs, maxDelayMs, honourRetryAfter, quota"
  for (const [message, make] of [
    [
      "RetryPolicy.maxRetries: must be a whole number of at least 0",
      () => RetryPolicy.make({ maxRetries: Number.NaN })
    ],
    ["RetryPolicy.maxRetries: must be a whole number of at least 0", () => RetryPolicy.make({ maxRetries: -2 })],
    ["RetryPolicy.maxRetries: must be a whole number of at least 0", () => RetryPolicy.make({ maxRetries: 1.5 })],
    ["RetryPolicy.baseDelay: must be a duration of at least 0", () => RetryPolicy.make({ baseDelay: Number.NaN })],
    ["RetryPolicy.maxDelay: must be a duration of at least 0", () => RetryPolicy.make({ maxDelay: "-1 seconds" })],
    [
      "RetryPolicy.quota.capacity: must be a number of at least 0",
      () => RetryPolicy.make({ quota: { capacity: Number.NaN } })
    ],
    ["RetryPolicy.quota.refund: must be a number of at least 0", () => RetryPolicy.make({ quota: { refund: -1 } })],
    ["Timeouts.attempt: must be a duration of more than 0", () => Timeouts.make({ attempt: Number.NaN })],
    ["Timeouts.call: must be a duration of more than 0", () => Timeouts.make({ call: 0 })],
    [
      "RetryPolicy.maxRetries: must be a whole number of at least 0",
      () => RetryPolicy.layer({ ...standard, maxRetries: -1 })
    ],
    ["Timeouts.call: must be a duration of more than 0", () => Timeouts.make({ call: wrong("soon") })],
    [
      "RetryPolicy.attempts: unknown option; expected one of: maxRetries, baseDelay, maxDelay, honourRetryAfter, quota",
      () => RetryPolicy.make(wrong({ attempts: 3 }))
    ],
    ["RetryPolicy: must be an object", () => RetryPolicy.make(wrong(3))],
    ["RetryPolicy.honourRetryAfter: must be true or false", () => RetryPolicy.make({ honourRetryAfter: wrong("no") })],
    [
      "Timeouts.attemptMs: unknown option; did you mean attempt? Expected one of: attempt, call",
      () => Timeouts.make(wrong({ attemptMs: 5 }))
    ],
    [`RetryPolicy: must be an object with ${parts}`, () => RetryPolicy.layer(wrong(3))],
    [
      "RetryPolicy.quota: must be an object with capacity, cost, rateLimitedCost, refund",
      () => RetryPolicy.layer(wrong({ ...standard, quota: undefined }))
    ],
    ["Timeouts.callMs: must be milliseconds, more than 0", () => Timeouts.layer(wrong({ attemptMs: 5 }))],
    [
      "IdempotencyPolicy: must be an object with source, serviceHonoursKeys",
      () => IdempotencyPolicy.layer(wrong("random"))
    ],
    [
      "IdempotencyPolicy.source: must be that of random, off, fixed (a key) or derived (a scope, and a whole number as generation)",
      () => IdempotencyPolicy.layer(IdempotencyPolicy.derived(wrong({ scope: "job" })))
    ]
  ] as const) {
    it(`rejects an invalid policy: ${message}`, () => {
      assert.throws(make, RangeError, new RegExp(`^${message.replace(/[.()?]/g, "\\$&")}$`))
    })
  }
  it.effect("a call whose policy was built without `make` sends nothing when it is invalid", function* () {
    for (const [reference, policy, message] of [
      [
        RetryPolicy.RetryPolicy,
        { ...standard, maxRetries: Number.NaN },
        "RetryPolicy.maxRetries: must be a whole number of at least 0"
      ],
      [RetryPolicy.RetryPolicy, { maxRetries: 3 }, "RetryPolicy.baseDelayMs: must be milliseconds, at least 0"],
      // Valid time limits, as the calls of other tests have shown.
      [RetryPolicy.RetryPolicy, Timeouts.default, "RetryPolicy.maxRetries: must be a whole number of at least 0"],
      [RetryPolicy.RetryPolicy, undefined, `RetryPolicy: must be an object with ${parts}`],
      [Timeouts.Timeouts, { attemptMs: 5 }, "Timeouts.callMs: must be milliseconds, more than 0"],
      [
        IdempotencyPolicy.IdempotencyPolicy,
        { source: { _tag: "derived", scope: "job", generation: -1 }, serviceHonoursKeys: false },
        "IdempotencyPolicy.source: must be that of random, off, fixed (a key) or derived (a scope, and a whole number as generation)"
      ]
    ] as const) {
      const invalid = Effect.provideService(list, reference as Context.Reference<unknown>, policy)
      const { fiber, transport } = yield* start(() => status(503), invalid)
      const { reason } = yield* Effect.flip(Effect.fromResult(yield* Fiber.join(fiber)))
      assert.deepInclude(reason, { _tag: "InvalidRequest", message })
      assert.strictEqual(transport.sent.length, 0)
    }
  })
})
