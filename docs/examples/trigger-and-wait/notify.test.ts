import { CallError, createClient } from "@signalbox/sdk"
import { createFake, expectFake, Fault, manualClock } from "@signalbox/test-harness"
import assert from "node:assert/strict"
import { test } from "node:test"
import { notify, triggerEvent } from "./notify.ts"

/** A service with the endpoint, and a client without waits between retries. */
const scene = () => {
  const clock = manualClock("2026-05-01T08:00:00Z")
  const fake = createFake({ data: "empty", clock })
  fake.addSubscriber({ subscriberId: "ana", email: "ana@example.test" })
  fake.addIntegration({ providerId: "sendgrid" })
  fake.addWorkflow({ identifier: "welcome", steps: [{ type: "email", subject: "Hello", content: "Hello" }] })
  fake.route(triggerEvent, ({ input: { body } }) => {
    const { name, payload, to, transactionId } = body
    const trigger = { workflow: name, to: to.subscriberId, transactionId, ...(payload && { payload }) }
    // As in the service, the second request for a transaction triggers nothing.
    const isKnown = fake.state().events.some((event) => event.transactionId === transactionId)
    return { body: { transactionId }, ...(!isKnown && { trigger }) }
  })
  const client = createClient({
    apiKey: fake.apiKey,
    baseUrl: fake.baseUrl,
    fetch: fake.fetch,
    retry: { baseDelayMs: 0 }
  })
  const waiting = { tries: 10, everyMs: 1_000, sleep: async (ms: number) => clock.advance(ms) }
  const welcome = { workflow: "welcome", subscriberId: "ana", transactionId: "order-17" }
  return { fake, notify: (own = {}) => notify(client, { ...welcome, ...own }, waiting) }
}

test("waits until the event is delivered", async () => {
  const { fake, notify } = scene()
  assert.deepEqual(await notify(), { _tag: "Delivered" })
  expectFake(fake).received({ operation: triggerEvent, body: { name: "welcome" } }, 1)
})

test("explains a failure", async () => {
  const { notify } = scene()
  const outcome = await notify({ subscriberId: "bo" })
  assert.equal(outcome._tag, "Failed")
  assert.ok(outcome._tag === "Failed" && outcome.step === "email" && outcome.explanation !== "")
})

test("triggers one event although the first response is lost", async () => {
  const { fake, notify } = scene()
  fake.faults.add(Fault.reset({ operation: triggerEvent, at: "committed", attempt: 1 }))
  assert.deepEqual(await notify(), { _tag: "Delivered" })
  assert.equal(fake.state().events.length, 1)
})

test("reports a service that is down", async () => {
  const { fake, notify } = scene()
  fake.faults.add(Fault.status(503, { operation: triggerEvent, times: "always" }))
  const error = await notify().catch((thrown: unknown) => thrown)
  assert.ok(error instanceof CallError)
  assert.equal(error.operation, "events.trigger")
  assert.equal(error.reason._tag, "ServerFailure")
})
