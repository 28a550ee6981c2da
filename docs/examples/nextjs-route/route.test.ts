import { createFake, Fault } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"
import assert from "node:assert/strict"
import { after, beforeEach, test } from "node:test"
import { GET } from "./route.ts"

const fake = createFake({ data: "empty" })
const server = await listen(fake)
process.env["SIGNALBOX_BASE_URL"] = server.url
process.env["SIGNALBOX_API_KEY"] = fake.apiKey
after(() => server.close())

beforeEach(() => {
  fake.reset()
  fake.addWorkflow({ identifier: "welcome", name: "Welcome", steps: [{ type: "in_app", content: "Hello" }] })
})

const get = (id: string, signal?: AbortSignal) =>
  GET(new Request(`http://localhost/api/users/${id}/notifications`, { signal: signal ?? null }), {
    params: Promise.resolve({ id })
  })

test("lists the notifications of one user", async () => {
  fake.addEvent({ subscriberId: "ana", workflow: "welcome" })
  fake.addEvent({ subscriberId: "ben", workflow: "welcome" })
  const response = await get("ana")
  const { notifications } = (await response.json()) as { readonly notifications: ReadonlyArray<{ title: string }> }
  assert.deepEqual(
    notifications.map(({ title }) => title),
    ["Welcome"]
  )
})

test("responds with 502 and the reason when the service rejects the request", async () => {
  fake.faults.add(Fault.status(403))
  const response = await get("ana")
  assert.equal(response.status, 502)
  assert.deepEqual(await response.json(), { error: "Forbidden" })
})

test("cancels the call when the visitor leaves", async () => {
  fake.faults.add(Fault.latency(60_000))
  const visit = new AbortController()
  const response = get("ana", visit.signal)
  const received = new Promise<void>((resolve) => {
    const stop = fake.journal.subscribe(() => {
      stop()
      resolve()
    })
  })
  await received
  visit.abort()
  await assert.rejects(response, { name: "AbortError" })
})
