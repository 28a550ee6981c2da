import { SpanStatusCode } from "@opentelemetry/api"
import { InMemorySpanExporter, type ReadableSpan } from "@opentelemetry/sdk-trace-base"
import { createFake, Fault } from "@signalbox/test-harness"
import assert from "node:assert/strict"
import { beforeEach, test } from "node:test"
import { registerDevice } from "./registerDevice.ts"
import { makeClient, startTracing } from "./tracing.ts"

const exporter = new InMemorySpanExporter()

startTracing(exporter)

beforeEach(() => exporter.reset())

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
