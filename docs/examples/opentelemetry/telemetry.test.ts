import { SpanStatusCode } from "@opentelemetry/api"
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  PeriodicExportingMetricReader
} from "@opentelemetry/sdk-metrics"
import { InMemorySpanExporter, type ReadableSpan } from "@opentelemetry/sdk-trace-base"
import { createFake, Fault } from "@signalbox/test-harness"
import assert from "node:assert/strict"
import { after, beforeEach, test } from "node:test"
import { registerDevice } from "./registerDevice.ts"
import { makeClient, startMetrics, startTracing } from "./telemetry.ts"

const exporter = new InMemorySpanExporter()
const measured = new InMemoryMetricExporter(AggregationTemporality.DELTA)
const reader = new PeriodicExportingMetricReader({ exporter: measured })

startTracing(exporter)
startMetrics(reader)

beforeEach(async () => {
  exporter.reset()
  await reader.forceFlush()
  measured.reset()
})
after(() => reader.shutdown())

/** The values of a metric since the test started: the sum of a counter, or the number of measurements of a histogram. */
const valuesOf = async (name: string): Promise<ReadonlyArray<unknown>> => {
  await reader.forceFlush()
  const found = measured
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
    .filter(({ descriptor }) => descriptor.name === name)
  return found.flatMap(({ dataPoints }) =>
    dataPoints.map(({ attributes, value }) => [attributes, typeof value === "object" ? value.count : value])
  )
}

const scene = () => {
  const fake = createFake({ data: "empty" })
  fake.addIntegration({ providerId: "fcm" })
  fake.addSubscriber({ subscriberId: "ana" })
  const client = makeClient({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })
  return { client, fake }
}

const spanNamed = (name: string): ReadableSpan => {
  const span = exporter.getFinishedSpans().find((each) => each.name === name)
  assert.ok(span, name)
  return span
}

const upsert = "PATCH /v1/subscribers/{subscriberId}/credentials"

test("the call is a child of the span of the service", async () => {
  const { client } = scene()
  await registerDevice(client, "ana", "token-of-a-phone")
  const [call, own] = [spanNamed(upsert), spanNamed("register device")]
  assert.equal(call.parentSpanContext?.spanId, own.spanContext().spanId)
  assert.equal(call.attributes["http.response.status_code"], 200)
})

test("a failed call has its reason, its attempts and no secret", async () => {
  const { client, fake } = scene()
  fake.faults.add(Fault.reset({ at: "committed" }))
  await registerDevice(client, "ana", "token-of-a-phone").catch(() => undefined)
  const call = spanNamed(upsert)
  assert.equal(call.status.code, SpanStatusCode.ERROR)
  assert.equal(call.attributes["signalbox.reason"], "TransportFailure")
  assert.deepEqual(
    call.events.map(({ name }) => name),
    ["signalbox.attempt"]
  )
  const shown = JSON.stringify([call.name, call.attributes, call.events, call.status])
  assert.doesNotMatch(shown, /token-of-a-phone/)
})

test("calls are measured", async () => {
  const { client, fake } = scene()
  fake.faults.add(Fault.status(503))
  await client.events.list({}, { retry: { baseDelayMs: 0 } })
  assert.deepEqual(await valuesOf("signalbox.call.duration"), [[{ operation: "events.list", outcome: "success" }, 1]])
  assert.deepEqual(await valuesOf("signalbox.call.attempts"), [[{ operation: "events.list" }, 2]])
})
