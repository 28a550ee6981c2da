import { createFake, expectFake, Fault } from "@signalbox/test-harness"
import { http, HttpResponse } from "msw"
import { setupServer } from "msw/node"
import assert from "node:assert/strict"
import { after, afterEach, before, test } from "node:test"

let fake = createFake({ data: "empty" })

// An error that a handler throws becomes a response 500 in msw, and a body that fails on its way looks complete.
const throughFake = async ({ request }: { readonly request: Request }): Promise<Response> => {
  try {
    const response = await fake.fetch(request)
    await response.clone().arrayBuffer()
    return response
  } catch {
    return HttpResponse.error()
  }
}

// The fake takes over one host; all other requests stay with msw.
const server = setupServer(http.all("https://notifications.example.com/*", throughFake))

before(() => server.listen())
afterEach(() => {
  fake = createFake({ data: "empty" })
})
after(() => server.close())

/** The code under test: it knows neither the fake nor msw. */
const countEvents = async (apiKey: string): Promise<number> => {
  const headers = { authorization: `ApiKey ${apiKey}` }
  const response = await fetch("https://notifications.example.com/v1/notifications", { headers })
  if (!response.ok) throw new Error(`status ${response.status}`)
  const { data } = (await response.json()) as { readonly data: ReadonlyArray<unknown> }
  return data.length
}

test("counts the events", async () => {
  fake.addWorkflow({ identifier: "welcome", steps: [{ type: "in_app", content: "Hello" }] })
  fake.trigger({ workflow: "welcome", to: "ana" })
  assert.equal(await countEvents(fake.apiKey), 1)
  expectFake(fake).noUnmatchedRequests()
})

test("fails when the service is unavailable", async () => {
  using _busy = fake.faults.add(Fault.status(503))
  await assert.rejects(countEvents(fake.apiKey), /status 503/u)
})

for (const [name, fault] of Object.entries({
  "loses the connection": Fault.reset({ at: "received" }),
  "cannot connect": Fault.refuse(),
  "loses the connection within the body": Fault.cutBody({ afterBytes: 10, failure: "reset" })
})) {
  test(`fails without a status when it ${name}`, async () => {
    using _lost = fake.faults.add(fault)
    await assert.rejects(countEvents(fake.apiKey), TypeError)
    assert.equal(fake.journal.entries().length, 1)
  })
}
