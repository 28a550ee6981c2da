import { assert, describe, it } from "@effect/vitest"
import { SpanKind, SpanStatusCode } from "@opentelemetry/api"
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base"
import { createFake } from "@signalbox/test-harness"
import { createClient } from "./index.ts"

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
      ["attempt"]
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
