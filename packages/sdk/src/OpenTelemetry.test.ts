import { assert, describe, it } from "@effect/vitest"
import { metrics, SpanKind, SpanStatusCode } from "@opentelemetry/api"
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base"
import { createFake } from "@signalbox/test-harness"
import { clientOn, emptyPage, fast, json, rejection } from "../test/AnsweredClient.ts"
import {
  type CallOptions,
  type Client,
  createClient,
  ListEventsError,
  type MeterAttributes,
  type OpenTelemetryMeter,
  type OpenTelemetryTracer
} from "./index.ts"

const tracing = () => {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  return { tracer: provider.getTracer("test"), spans: () => exporter.getFinishedSpans() }
}

/** The milliseconds of a time of OpenTelemetry. */
const millisecondsOf = ([seconds, nanoseconds]: readonly [number, number]): number => {
  assert.isTrue(Number.isInteger(nanoseconds) && nanoseconds >= 0 && nanoseconds < 1_000_000_000)
  return seconds * 1000 + nanoseconds / 1_000_000
}

const oneDay = 86_400_000

describe("a tracer of OpenTelemetry", () => {
  it("gets one client span a call, with its attempts as events", async () => {
    const { spans, tracer } = tracing()
    const { client } = clientOn(
      (_request, count) => (count === 1 ? new Response(null, { status: 503 }) : json(emptyPage)),
      { ...fast, tracer }
    )
    await client.events.list({ limit: 1 })
    const [span, ...others] = spans()
    assert.lengthOf(others, 0)
    assert(span)
    assert.strictEqual(span.name, "GET /v1/notifications")
    assert.strictEqual(span.kind, SpanKind.CLIENT)
    assert.strictEqual(span.status.code, SpanStatusCode.UNSET)
    assert.deepStrictEqual(span.attributes, {
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
      span.events.map(({ attributes, name }) => {
        // Both are measured: a busy machine delays a request by milliseconds.
        const {
          "signalbox.attempt.delay_ms": delay,
          "signalbox.attempt.duration_ms": duration,
          ...others
        } = attributes ?? {}
        return [name, typeof delay, typeof duration, others]
      }),
      [
        [
          "signalbox.attempt",
          "number",
          "number",
          {
            "signalbox.attempt.number": 1,
            "signalbox.attempt.outcome": "ServerFailure",
            "http.response.status_code": 503
          }
        ],
        [
          "signalbox.attempt",
          "number",
          "number",
          {
            "signalbox.attempt.number": 2,
            "signalbox.attempt.outcome": "success",
            "signalbox.attempt.retry_reason": "ServerFailure",
            "http.response.status_code": 200
          }
        ]
      ]
    )
    const times = [span.startTime, ...span.events.map(({ time }) => time), span.endTime].map(millisecondsOf)
    assert.deepStrictEqual(
      times,
      times.toSorted((one, other) => one - other)
    )
    for (const time of times) assert.isBelow(Math.abs(Date.now() - time), oneDay)
  })

  it("gets the reason and the message of a failure, and no secret", async () => {
    const fake = createFake()
    const { spans, tracer } = tracing()
    await using client = createClient({ apiKey: "a-wrong-key", baseUrl: fake.baseUrl, fetch: fake.fetch, tracer })
    const input = { providerId: "fcm", credentials: { deviceTokens: ["a-device-token"] } } as const
    const result = await client.credentials.upsert.result("u_1", input)
    const [span] = spans()
    assert(span && !result.ok)
    assert.deepStrictEqual(span.status, { code: SpanStatusCode.ERROR, message: result.error.message })
    assert.deepInclude(span.attributes, {
      "error.type": "401",
      "signalbox.reason": "Unauthorized",
      "http.response.status_code": 401
    })
    const shown = JSON.stringify([span.name, span.attributes, span.events, span.status])
    assert.notInclude(shown, "a-wrong-key")
    assert.notInclude(shown, "a-device-token")
  })

  for (const [name, code, call] of [
    ["read, which is no error", SpanStatusCode.UNSET, (client, options) => client.events.list({}, options)],
    [
      "write, which may have been applied, as an error",
      SpanStatusCode.ERROR,
      (client, options) => client.messages.markAs("ana", { messageId: "m1", markAs: "read" }, options)
    ]
  ] satisfies ReadonlyArray<
    readonly [string, SpanStatusCode, (client: Client, options: CallOptions) => PromiseLike<unknown>]
  >) {
    it(`gets the end of an aborted ${name}`, async () => {
      const controller = new AbortController()
      const { spans, tracer } = tracing()
      const { client } = clientOn(
        () => {
          controller.abort("enough")
          return new Promise(() => {})
        },
        { tracer }
      )
      assert.strictEqual(await rejection(call(client, { signal: controller.signal })), "enough")
      await client.close()
      assert.deepStrictEqual(
        spans().map(({ ended, status }) => [ended, status.code]),
        [[true, code]]
      )
    })
  }

  const members = ["startSpan", "spanContext", "setAttribute", "addEvent", "setStatus", "end"] as const
  for (const failing of members) {
    it(`that throws in ${failing} does not fail a call, and its other members are called`, async () => {
      const called = new Set<string>()
      const stub = (name: string, value?: unknown) => () => {
        called.add(name)
        if (name === failing) throw new Error("of the tracer")
        return value
      }
      const { tracer } = tracing()
      const span = Object.fromEntries(members.map((name) => [name, stub(name)]))
      span["spanContext"] = stub("spanContext", tracer.startSpan("any").spanContext())
      const broken = { startSpan: stub("startSpan", span) }
      const { client } = clientOn(
        (_request, count) => (count === 1 ? json(emptyPage) : new Response(null, { status: 403 })),
        // Calls the members of the interface only.
        { tracer: broken as OpenTelemetryTracer }
      )
      assert.deepStrictEqual((await client.events.list()).data, [])
      assert.instanceOf(await rejection(client.events.list()), ListEventsError)
      const reached = { startSpan: members.slice(0, 1), spanContext: members.slice(0, 2) }
      assert.sameMembers([...called], failing in reached ? [...reached[failing as keyof typeof reached]] : [...members])
    })
  }
})

describe("trace headers", () => {
  it("name the span of the call, and are sent only on request", async () => {
    const { spans, tracer } = tracing()
    const { client: silent, sent: without } = clientOn(() => json(emptyPage), { tracer })
    await silent.events.list({ limit: 1 })
    assert.isNull(without[0]?.headers.get("traceparent"))
    const { client: traced, sent } = clientOn(() => json(emptyPage), { tracer, traceHeaders: true })
    await traced.events.list({ limit: 1 })
    const { spanId, traceId } = spans()[1]?.spanContext() ?? {}
    assert.strictEqual(sent[0]?.headers.get("traceparent"), `00-${traceId}-${spanId}-01`)
  })

  it.each([
    [0, "00"],
    [1, "01"],
    [2, "00"],
    [3, "01"]
  ])("of a span with the flags %i end in %s", async (traceFlags, ending) => {
    const { tracer } = tracing()
    const startSpan: OpenTelemetryTracer["startSpan"] = (...given) => {
      const span = tracer.startSpan(...given)
      const context = { ...span.spanContext(), traceFlags }
      return Object.assign(span, { spanContext: () => context })
    }
    const { client, sent } = clientOn(() => json(emptyPage), { tracer: { startSpan }, traceHeaders: true })
    await client.events.list()
    assert.match(sent[0]?.headers.get("traceparent") ?? "", new RegExp(`^00-[0-9a-f]{32}-[0-9a-f]{16}-${ending}$`, "u"))
  })
})

describe("a meter of OpenTelemetry", () => {
  const measuring = () => {
    const made: Array<readonly [string, string, object | undefined]> = []
    const measured: Array<readonly [string, number, MeterAttributes | undefined]> = []
    const instrument = (name: string) => (value: number, attributes?: MeterAttributes) =>
      void measured.push([name, value, attributes])
    const meter: OpenTelemetryMeter = {
      createHistogram: (name, options) => {
        made.push(["histogram", name, options])
        return { record: instrument(name) }
      },
      createCounter: (name, options) => {
        made.push(["counter", name, options])
        return { add: instrument(name) }
      }
    }
    return { made, measured, meter }
  }

  it("accepts a meter of @opentelemetry/api", () => {
    const meter: OpenTelemetryMeter = metrics.getMeter("test")
    assert.isFunction(meter.createHistogram)
  })

  it("measures the duration and the attempts of each call, also of one that fails", async () => {
    const fake = createFake()
    const { made, measured, meter } = measuring()
    const options = { baseUrl: fake.baseUrl, fetch: fake.fetch, meter }
    await using client = createClient({ ...options, apiKey: fake.apiKey })
    await client.events.list({ limit: 1 })
    await using unauthorized = createClient({ ...options, apiKey: "a-wrong-key" })
    await unauthorized.events.list.result()
    const instruments = [
      ["histogram", "signalbox.call.duration", { unit: "ms" }],
      ["counter", "signalbox.call.attempts", undefined],
      ["counter", "signalbox.drift", undefined]
    ]
    assert.deepStrictEqual<unknown>(made, [...instruments, ...instruments])
    assert.deepStrictEqual(
      measured.map(([name, value, attributes]) => [name, Number.isInteger(value), attributes]),
      [
        ["signalbox.call.duration", true, { operation: "events.list", outcome: "success" }],
        ["signalbox.call.attempts", true, { operation: "events.list" }],
        ["signalbox.call.duration", true, { operation: "events.list", outcome: "Unauthorized" }],
        ["signalbox.call.attempts", true, { operation: "events.list" }]
      ]
    )
  })

  it("counts drift, and the attempts of a call that is retried", async () => {
    const { measured, meter } = measuring()
    const { client } = clientOn(
      (_request, count) =>
        count === 1 ? new Response(null, { status: 503 }) : json({ ...emptyPage, novelty: 1, another: 2 }),
      { ...fast, meter }
    )
    await client.events.list()
    assert.deepStrictEqual(measured.slice(1), [
      ["signalbox.call.attempts", 2, { operation: "events.list" }],
      ["signalbox.drift", 2, { operation: "events.list" }]
    ])
  })

  it("that throws does not fail a call", async () => {
    const fail = () => {
      throw new Error("no exporter")
    }
    const meter = { createHistogram: () => ({ record: fail }), createCounter: () => ({ add: fail }) }
    const { client } = clientOn(() => json(emptyPage), { meter })
    assert.lengthOf((await client.events.list()).data, 0)
  })
})
