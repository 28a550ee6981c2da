import { createClient } from "@signalbox/sdk"
import { createFake, expectFake, Fault } from "@signalbox/test-harness"
import assert from "node:assert/strict"
import { test } from "node:test"
import { makeApp } from "./app.ts"

const scene = () => {
  const fake = createFake({ data: "empty" })
  fake.addIntegration({ providerId: "fcm" })
  fake.addSubscriber({ subscriberId: "ana" })
  const client = createClient({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })
  return { fake, app: makeApp(client) }
}

const put = { method: "PUT" }

test("stores a token", async () => {
  const { app, fake } = scene()
  const response = await app.request("/users/ana/devices/token-1", put)
  assert.equal(response.status, 204)
  expectFake(fake).appliedOnce("credentials.upsert")
})

test("responds with 404 for an unknown user", async () => {
  const { app } = scene()
  const response = await app.request("/users/nobody/devices/token-1", put)
  assert.equal(response.status, 404)
})

test("reports that the token may be stored when the connection breaks after the change", async () => {
  const { app, fake } = scene()
  using _lost = fake.faults.add(Fault.reset({ at: "committed" }))
  const response = await app.request("/users/ana/devices/token-1", put)
  assert.equal(response.status, 503)
  assert.deepEqual(await response.json(), { error: "TransportFailure", maybeStored: true })
})
