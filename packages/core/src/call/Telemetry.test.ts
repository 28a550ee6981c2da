import { assert, describe } from "@effect/vitest"
import { it } from "../../test/It.ts"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Metric from "effect/Metric"
import * as Random from "effect/Random"
import * as Tracer from "effect/Tracer"
import * as HttpTraceContext from "effect/http/HttpTraceContext"
import * as TestClock from "effect/testing/TestClock"
import {
  fork,
  apiKey,
  clientLayer,
  connectionError,
  event,
  makeTransport,
  page,
  requirements,
  type Transport
} from "../../test/transport/Transport.ts"
import * as CallInfo from "./CallInfo.ts"
import * as CallMetrics from "./CallMetrics.ts"
import * as Drift from "../policies/Drift.ts"
import { Credentials } from "../services/Credentials.ts"
import { Events, makeList } from "../services/Events.ts"
import { RateLimit } from "./RateLimit.ts"
import { isSignalboxError } from "../errors/Errors.ts"
import { ResponsePolicy, Throttling, TraceHeaders, Warnings } from "../policies/Policies.ts"
import * as RetryPolicy from "../policies/RetryPolicy.ts"

const list = Events.use((events) => events.list())
const noDelay = RetryPolicy.layer(RetryPolicy.make({ baseDelay: 0 }))

const makeTracer = () => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  return { spans, layer: Layer.succeed(Tracer.Tracer, tracer) }
}

describe("spans", () => {
  it.effect("one for a call, its attempts as events, no trace header on the wire", function* () {
    const { layer, spans } = makeTracer()
    const transport = makeTransport((_, number) =>
      number === 1 ? new Response(null, { status: 503 }) : Response.json(page())
    )
    yield* list.pipe(Effect.provide(Layer.mergeAll(clientLayer(transport), layer, noDelay)))
    assert.strictEqual(spans.length, 1)
    const [span] = spans
    assert.strictEqual(span?.name, "GET /v1/notifications")
    assert.strictEqual(span?.kind, "client")
    assert.deepStrictEqual(Object.fromEntries(span?.attributes ?? []), {
      "http.request.method": "GET",
      "url.template": "/v1/notifications",
      "url.scheme": "http",
      "server.address": "service.test",
      "server.port": 80,
      "signalbox.operation": "events.list",
      "http.response.status_code": 200,
      "http.request.resend_count": 1
    })
    assert.deepStrictEqual(
      span?.events.map(([name, , attributes]) => [name, attributes?.["signalbox.attempt.outcome"]]),
      [
        ["signalbox.attempt", "ServerFailure"],
        ["signalbox.attempt", "success"]
      ]
    )
    assert.strictEqual(transport.sent[0]?.headers.get("traceparent"), null)
    assert.strictEqual(transport.sent[0]?.headers.get("b3"), null)
  })
  it.effect("of a failed call say why it failed, and its events when and why each attempt was made", function* () {
    const { layer, spans } = makeTracer()
    const transport = makeTransport((_, number) =>
      number === 1
        ? connectionError("ECONNREFUSED")
        : new Response(null, { status: number === 2 ? 503 : 400, headers: { "x-request-id": `r${number}` } })
    )
    const upsert = Credentials.use((credentials) =>
      credentials.upsert("user-7", { providerId: "slack", credentials: { webhookUrl: "https://hooks.test/a" } })
    )
    const fiber = yield* fork(
      Effect.flip(upsert).pipe(
        Effect.provideService(Random.Random, { nextDoubleUnsafe: () => 1, nextIntUnsafe: () => 1 }),
        Effect.provide(Layer.merge(clientLayer(transport, { baseUrl: "https://service.test:8443/gateway" }), layer))
      )
    )
    yield* TestClock.adjust("1 minute")
    yield* Fiber.join(fiber)
    assert.strictEqual(spans[0]?.name, "PATCH /v1/subscribers/{subscriberId}/credentials")
    assert.deepStrictEqual(Object.fromEntries(spans[0]?.attributes ?? []), {
      "http.request.method": "PATCH",
      "url.template": "/v1/subscribers/{subscriberId}/credentials",
      "url.scheme": "https",
      "server.address": "service.test",
      "server.port": 8443,
      "signalbox.operation": "credentials.upsert",
      "error.type": "400",
      "signalbox.reason": "Rejected",
      "http.response.status_code": 400,
      "http.request.resend_count": 2
    })
    const attempt = { "signalbox.attempt.duration_ms": 0 }
    assert.deepStrictEqual(spans[0]?.events, [
      [
        "signalbox.attempt",
        0n,
        {
          ...attempt,
          "signalbox.attempt.number": 1,
          "signalbox.attempt.outcome": "TransportFailure",
          "signalbox.attempt.delay_ms": 0
        }
      ],
      [
        "signalbox.attempt",
        200_000_000n,
        {
          ...attempt,
          "signalbox.attempt.number": 2,
          "signalbox.attempt.outcome": "ServerFailure",
          "signalbox.attempt.delay_ms": 200,
          "signalbox.attempt.retry_reason": "TransportFailure",
          "http.response.status_code": 503
        }
      ],
      [
        "signalbox.attempt",
        600_000_000n,
        {
          ...attempt,
          "signalbox.attempt.number": 3,
          "signalbox.attempt.outcome": "Rejected",
          "signalbox.attempt.delay_ms": 400,
          "signalbox.attempt.retry_reason": "ServerFailure",
          "http.response.status_code": 400
        }
      ]
    ])
  })
  it.effect("of a call without a response have the reason and no status", function* () {
    const { layer, spans } = makeTracer()
    const transport = makeTransport(() => connectionError())
    yield* Effect.flip(list).pipe(
      Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ maxRetries: 0 })),
      Effect.provide(Layer.merge(clientLayer(transport, { baseUrl: "https://service.test" }), layer))
    )
    const attributes = Object.fromEntries(spans[0]?.attributes ?? [])
    assert.include(attributes, {
      "error.type": "TransportFailure",
      "signalbox.reason": "TransportFailure",
      "server.port": 443
    })
    assert.notProperty(attributes, "http.response.status_code")
    assert.notProperty(attributes, "http.request.resend_count")
  })
  it.effect("have drift as events, at the time of the response", function* () {
    const { layer, spans } = makeTracer()
    const transport = makeTransport(() => Response.json(page({ spanned: 1, spannedToo: 2 })))
    yield* TestClock.adjust(5)
    yield* list.pipe(Effect.provide(Layer.merge(clientLayer(transport), layer)))
    assert.deepStrictEqual(
      spans[0]?.events.filter(([name]) => name === "signalbox.drift"),
      [
        ["signalbox.drift", 5_000_000n, { "signalbox.drift.kind": "unknown-field", "signalbox.drift.path": "spanned" }],
        [
          "signalbox.drift",
          5_000_000n,
          { "signalbox.drift.kind": "unknown-field", "signalbox.drift.path": "spannedToo" }
        ]
      ]
    )
  })
  it.effect("the trace header is sent when switched on", function* () {
    const { layer, spans } = makeTracer()
    const transport = makeTransport(() => Response.json(page()))
    yield* list.pipe(
      Effect.provide(
        Layer.mergeAll(clientLayer(transport), layer, Layer.succeed(TraceHeaders, HttpTraceContext.toHeaders))
      )
    )
    assert.include(transport.sent[0]?.headers.get("traceparent"), spans[0]?.spanId)
  })
})

describe("metrics", () => {
  it.effect("are described, by operation and outcome, in buckets from 5 ms to a minute", function* () {
    const registry: Metric.MetricRegistry = new Map()
    const transport = makeTransport((_, number) =>
      number === 1 ? new Response(null, { status: 402 }) : Response.json(page({ counted: 1, twice: 2 }))
    )
    yield* Effect.andThen(Effect.flip(list), Effect.andThen(list, list)).pipe(
      Effect.provide(Layer.mergeAll(clientLayer(transport), noDelay, Layer.succeed(Metric.MetricRegistry, registry)))
    )
    const snapshots = yield* Effect.provideService(Metric.snapshot, Metric.MetricRegistry, registry)
    const values = snapshots.map(({ attributes, description, id, state }) => {
      const counted = "buckets" in state ? [state.count, state.buckets.map(([limit]) => limit)] : state
      return [id, description, attributes, counted] as const
    })
    const buckets = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000]
    const attributes = { operation: "events.list" }
    assert.deepStrictEqual(
      values.toSorted(([a, , one], [b, , other]) =>
        `${a} ${JSON.stringify(one)}` < `${b} ${JSON.stringify(other)}` ? -1 : 1
      ),
      [
        ["signalbox.call.attempts", "HTTP exchanges of calls", attributes, { count: 3, incremental: true }],
        [
          "signalbox.call.duration",
          "Duration of calls in milliseconds",
          { ...attributes, outcome: "PaymentRequired" },
          [1, buckets]
        ],
        [
          "signalbox.call.duration",
          "Duration of calls in milliseconds",
          { ...attributes, outcome: "success" },
          [2, buckets]
        ],
        ["signalbox.drift", "Drift of responses", undefined, { count: 4, incremental: true }]
      ]
    )
  })
  it.effect("count attempts and time calls", function* () {
    const registry: Metric.MetricRegistry = new Map()
    const transport = makeTransport((_, number) =>
      number === 1 ? new Response(null, { status: 503 }) : Response.json(page())
    )
    yield* list.pipe(
      Effect.provide(Layer.mergeAll(clientLayer(transport), noDelay, Layer.succeed(Metric.MetricRegistry, registry)))
    )
    const ids = [...registry.values()].map(({ id }) => id).sort()
    assert.deepStrictEqual(ids, ["signalbox.call.attempts", "signalbox.call.duration"])
  })
  const recordedBy = (spell: (metrics: CallMetrics.CallMetrics) => Effect.Effect<unknown, unknown>) =>
    Effect.gen(function* () {
      const calls: Array<CallMetrics.EndedCall> = []
      yield* spell({ record: (call) => void calls.push(call) })
      return calls
    })
  const drifting = () => makeTransport(() => Response.json(page({ novelty: 1 })))
  it.effect("provided by the caller record each call, however they are provided", function* () {
    const once = [{ operation: "events.list", outcome: "success", durationMs: 0, attempts: 1, drift: 1 }]
    const atTheCall = yield* recordedBy((metrics) =>
      Effect.provideService(list, CallMetrics.CallMetrics, metrics).pipe(Effect.provide(clientLayer(drifting())))
    )
    const beside = yield* recordedBy((metrics) =>
      list.pipe(Effect.provide(Layer.merge(clientLayer(drifting()), Layer.succeed(CallMetrics.CallMetrics, metrics))))
    )
    const below = yield* recordedBy((metrics) =>
      list.pipe(
        Effect.provide(clientLayer(drifting()).pipe(Layer.provide(Layer.succeed(CallMetrics.CallMetrics, metrics))))
      )
    )
    assert.deepStrictEqual([atTheCall, beside, below], [once, once, once])
  })
  it.effect("are off for a service without a client, unless provided", function* () {
    const measured = (metrics: Layer.Layer<never>) =>
      Effect.gen(function* () {
        const registry: Metric.MetricRegistry = new Map()
        yield* list.pipe(
          Effect.provide(
            Layer.mergeAll(
              Events.layer.pipe(Layer.provide(requirements(drifting()))),
              metrics,
              Layer.succeed(Metric.MetricRegistry, registry)
            )
          )
        )
        return [...registry.values()].map(({ id }) => id).sort()
      })
    assert.deepStrictEqual(yield* measured(Layer.empty), [])
    assert.deepStrictEqual(yield* measured(Layer.succeed(CallMetrics.CallMetrics, CallMetrics.standard)), [
      "signalbox.call.attempts",
      "signalbox.call.duration",
      "signalbox.drift"
    ])
  })
})

describe("the rate limit", () => {
  const limited = (remaining: string) =>
    Response.json(page(), {
      headers: { "RateLimit-Limit": "100", "RateLimit-Remaining": remaining, "RateLimit-Reset": "5" }
    })
  it.effect("with nothing left the next request waits for the reset", function* () {
    const transport = makeTransport((_, number) => limited(number === 1 ? "0" : "99"))
    const program = Effect.gen(function* () {
      yield* list
      const { snapshot } = yield* RateLimit
      const limit = yield* snapshot
      yield* list
      return limit
    })
    const fiber = yield* fork(program.pipe(Effect.provide(clientLayer(transport))))
    yield* TestClock.adjust(4999)
    assert.strictEqual(transport.sent.length, 1)
    yield* TestClock.adjust(1001)
    assert.deepStrictEqual(yield* Fiber.join(fiber), { limit: 100, remaining: 0, resetAt: 5000, observedAt: 0 })
    assert.strictEqual(transport.sent.length, 2)
  })
  it.effect("the wait is the delay of the attempt that follows it", function* () {
    const transport = makeTransport((_, number) =>
      number === 2 ? new Response(null, { status: 503 }) : limited(number === 1 ? "0" : "99")
    )
    const fiber = yield* fork(
      Effect.andThen(list, CallInfo.withInfo(list)).pipe(
        Effect.provideService(Random.Random, { nextDoubleUnsafe: () => 0, nextIntUnsafe: () => 0 }),
        Effect.provide(clientLayer(transport))
      )
    )
    yield* TestClock.adjust("10 seconds")
    const { call } = yield* Fiber.join(fiber)
    assert.deepStrictEqual(
      call.attempts.map(({ delayMs, number, outcome, startedAt }) => [number, outcome, startedAt, delayMs]),
      [
        [1, "ServerFailure", 5000, 5000],
        [2, "success", 5000, 0]
      ]
    )
    assert.deepInclude(call, { operation: "events.list", durationMs: 5000, status: 200, replayed: false })
    assert.deepStrictEqual(call.rateLimit, { limit: 100, remaining: 99, resetAt: 10_000, observedAt: 5000 })
  })
  it.effect("switched off, it does not wait; a reset beyond the deadline fails and sends nothing", function* () {
    const transport = makeTransport(() =>
      Response.json(page(), { headers: { "RateLimit-Remaining": "0", "RateLimit-Reset": "90" } })
    )
    const error = yield* Effect.gen(function* () {
      yield* list
      yield* Effect.provideService(list, Throttling, "off")
      return yield* Effect.flip(list)
    }).pipe(Effect.provide(clientLayer(transport)))
    assert.deepInclude(error.reason, { _tag: "RateLimited", retryAfterMs: 90_000 })
    assert.deepStrictEqual([error.attempts.length, transport.sent.length], [0, 2])
    // There was no response, hence no status.
    assert.notProperty(error.reason, "status")
    assert.strictEqual(error.message, "events.list failed: not sent: the rate limit is exhausted. Retry after 90 s.")
  })
  it.effect("two clients share nothing", function* () {
    const transport = makeTransport(() => limited("0"))
    yield* list.pipe(Effect.provide(clientLayer(transport)))
    yield* list.pipe(Effect.provide(clientLayer(transport)))
    assert.strictEqual(transport.sent.length, 2)
  })
})

describe("drift", () => {
  const drifting = () => Response.json(page({ data: [{ ...event("a"), severity: "urgent", novelty: 1 }, 7] }))
  it.effect("goes to the Drift service and to the call's facts, and the rest is read", function* () {
    const reports: Array<Drift.DriftReport> = []
    const { call, value } = yield* CallInfo.withInfo(list).pipe(
      Effect.provideService(Drift.Drift, { report: (report) => Effect.sync(() => void reports.push(report)) }),
      Effect.provide(clientLayer(makeTransport(drifting)))
    )
    assert.strictEqual(value.data.length, 1)
    assert.deepStrictEqual(
      reports[0]?.entries.map(({ kind, path }) => [kind, path]),
      [
        ["unknown-enum-value", "data[0].severity"],
        ["unknown-field", "data[0].novelty"],
        ["unreadable", "data[1]"]
      ]
    )
    assert.strictEqual(call.unreadable[0]?.raw, 7)
  })
  it.effect("has no secret that the service echoes as a value or a name", function* () {
    const reports: Array<Drift.DriftReport> = []
    const echo = { ...event("a"), severity: apiKey, [apiKey]: 1 }
    const { call } = yield* CallInfo.withInfo(list).pipe(
      Effect.provideService(Drift.Drift, { report: (report) => Effect.sync(() => void reports.push(report)) }),
      Effect.provide(clientLayer(makeTransport(() => Response.json(page({ data: [echo] })))))
    )
    const entries = [
      { kind: "unknown-enum-value", path: "data[0].severity", value: "<redacted>" },
      { kind: "unknown-field", path: 'data[0]["<redacted>"]' }
    ]
    assert.deepStrictEqual<unknown>(reports[0]?.entries, entries)
    assert.deepStrictEqual<unknown>(call.drift, entries)
    assert.deepStrictEqual([call.driftCount, reports[0]?.count], [2, 2])
  })
  it.effect("warns once for each kind and place", function* () {
    const lines: Array<string> = []
    const logger = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
    yield* Effect.andThen(list, list).pipe(Effect.provide(Layer.merge(clientLayer(makeTransport(drifting)), logger)))
    assert.deepStrictEqual(lines.sort(), [
      "events.list: data[] could not be read and was left out",
      "events.list: data[].novelty is a field that the API document does not describe; it was left out",
      "events.list: data[].severity has a value that the API document does not list"
    ])
  })
  it.effect("calls the warnings function of the caller, however it is provided", function* () {
    const spellings: ReadonlyArray<(warnings: Warnings, transport: Transport) => Effect.Effect<unknown, unknown>> = [
      (warnings, transport) =>
        Effect.provideService(list, Warnings, warnings).pipe(Effect.provide(clientLayer(transport))),
      (warnings, transport) =>
        list.pipe(Effect.provide(Layer.merge(clientLayer(transport), Layer.succeed(Warnings, warnings)))),
      (warnings, transport) =>
        list.pipe(Effect.provide(clientLayer(transport).pipe(Layer.provide(Layer.succeed(Warnings, warnings)))))
    ]
    for (const [at, spell] of spellings.entries()) {
      const lines: Array<string> = []
      const field = `spelling${at}`
      yield* spell(
        (line) => Effect.sync(() => void lines.push(line)),
        makeTransport(() => Response.json(page({ [field]: 1 })))
      )
      assert.deepStrictEqual(lines, [
        `events.list: ${field} is a field that the API document does not describe; it was left out`
      ])
    }
  })
  it.effect("logs it for a service, and discards it for an operation without one", function* () {
    const lines: Array<unknown> = []
    const logger = Logger.layer([Logger.make(({ message }) => void lines.push(message))])
    const transport = makeTransport((_, number) => Response.json(page({ [`logged${number}`]: 1 })))
    yield* Effect.flatMap(makeList, (listEvents) => listEvents()).pipe(
      Effect.provide(Layer.merge(requirements(transport), logger))
    )
    assert.deepStrictEqual(lines, [])
    yield* list.pipe(Effect.provide(Layer.merge(clientLayer(transport), logger)))
    assert.deepStrictEqual(lines, [
      ["events.list: logged2 is a field that the API document does not describe; it was left out"]
    ])
  })
  it.effect("fails a strict call", function* () {
    const error = yield* list.pipe(
      Effect.provideService(ResponsePolicy, "strict"),
      Effect.flip,
      Effect.provide(clientLayer(makeTransport(drifting)))
    )
    assert.strictEqual(error.reason._tag, "MalformedResponse")
    assert.isTrue(isSignalboxError(error))
    assert.isFalse(isSignalboxError(new Error("no")))
  })
})
