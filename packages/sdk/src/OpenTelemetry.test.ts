import { assert, describe, it } from "@effect/vitest"
import { metrics, SpanKind, SpanStatusCode } from "@opentelemetry/api"
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base"
import { createFake } from "@signalbox/test-harness"
import { clientOn, emptyPage, json } from "../test/AnsweredClient.ts"
import { createClient, type MeterAttributes, type OpenTelemetryMeter } from "./index.ts"

const tracing = () => {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  return { tracer: provider.getTracer("test"), spans: () => exporter.getFinishedSpans() }
}

describe("a tracer of OpenTelemetry", () => {
  it("is given one client span a call, with its attempts as events", async () => {
    const fake = createFake()
    const { spans, tracer } = tracing()
    await using client = createClient({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch, tracer })
    await client.events.list({ limit: 1 })
    const [span, ...others] = spans()
    assert.lengthOf(others, 0)
    assert(span)
    assert.strictEqual(span.name, "GET /v1/notifications")
    assert.strictEqual(span.kind, SpanKind.CLIENT)
    assert.deepInclude(span.attributes, { "http.request.method": "GET", "http.response.status_code": 200 })
    assert.deepStrictEqual(
      span.events.map(({ name }) => name),
      ["signalbox.attempt"]
    )
  })

  it("hears of a failure without hearing a secret", async () => {
    const fake = createFake()
    const { spans, tracer } = tracing()
    await using client = createClient({ apiKey: "a-wrong-key", baseUrl: fake.baseUrl, fetch: fake.fetch, tracer })
    const input = { providerId: "fcm", credentials: { deviceTokens: ["a-device-token"] } } as const
    await client.credentials.upsert("u_1", input).catch(() => undefined)
    const [span] = spans()
    assert(span)
    assert.strictEqual(span.status.code, SpanStatusCode.ERROR)
    const told = JSON.stringify([span.name, span.attributes, span.events, span.status])
    assert.notInclude(told, "a-wrong-key")
    assert.notInclude(told, "a-device-token")
  })
})

describe("trace headers", () => {
  it("name the span of the call, and are sent only on request", async () => {
    const fake = createFake()
    const { spans, tracer } = tracing()
    const sent: Array<string | null> = []
    const fetch: typeof globalThis.fetch = (input, init) => {
      sent.push(new Headers(init?.headers).get("traceparent"))
      return fake.fetch(input, init)
    }
    const options = { apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch, tracer }
    await using silent = createClient(options)
    await silent.events.list({ limit: 1 })
    await using traced = createClient({ ...options, traceHeaders: true })
    await traced.events.list({ limit: 1 })
    const { spanId, traceId } = spans()[1]?.spanContext() ?? {}
    assert.deepStrictEqual(sent, [null, `00-${traceId}-${spanId}-01`])
  })
})

describe("a meter of OpenTelemetry", () => {
  const measuring = () => {
    const measured: Array<readonly [string, number, MeterAttributes | undefined]> = []
    const instrument = (name: string) => (value: number, attributes?: MeterAttributes) =>
      void measured.push([name, value, attributes])
    const meter: OpenTelemetryMeter = {
      createHistogram: (name) => ({ record: instrument(name) }),
      createCounter: (name) => ({ add: instrument(name) })
    }
    return { measured, meter }
  }

  it("takes a meter of @opentelemetry/api", () => {
    const meter: OpenTelemetryMeter = metrics.getMeter("test")
    assert.isFunction(meter.createHistogram)
  })

  it("measures the duration and the attempts of each call, also of one that fails", async () => {
    const fake = createFake()
    const { measured, meter } = measuring()
    const options = { baseUrl: fake.baseUrl, fetch: fake.fetch, meter }
    await using client = createClient({ ...options, apiKey: fake.apiKey })
    await client.events.list({ limit: 1 })
    await using unauthorized = createClient({ ...options, apiKey: "a-wrong-key" })
    await unauthorized.events.list.result()
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

  it("counts drift", async () => {
    const { measured, meter } = measuring()
    const { client } = clientOn(() => json({ ...emptyPage, novelty: 1 }), { meter })
    await client.events.list()
    assert.deepInclude(measured, ["signalbox.drift", 1, { operation: "events.list" }])
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
