import { createFake } from "@signalbox/test-harness"
import type { Contestant } from "../Measure.ts"
import { serveRounds } from "../Rounds.ts"

const store = new Map<string, unknown>()

// The limit of the runtime: real Request, URL and Response objects, a parsed body, one Map entry.
const bareFetch = async (input: string, init: RequestInit): Promise<Response> => {
  const request = new Request(input, init)
  const url = new URL(request.url)
  store.set(url.pathname, await request.json())
  return Response.json([], { status: 201 })
}

const fake = createFake({ data: "empty" })
const few = createFake({ events: 1_000 })
const tenThousand = createFake({ events: 10_000 })
// A million events: a fake generates at most 100,000 at once.
const million = createFake({ events: 100_000 })
for (let part = 1; part < 10; part += 1) million.generate({ events: 100_000 })

const markUrl = `${fake.baseUrl}/v1/subscribers/u_1/messages/mark-as`
const mark = (apiKey: string): RequestInit => ({
  method: "POST",
  headers: { authorization: `ApiKey ${apiKey}`, "content-type": "application/json" },
  body: JSON.stringify({ messageId: "64b5f0c2a1d2e3f4a5b6c7d8", markAs: "read" })
})
const listPage = async (from: typeof few): Promise<unknown> => {
  const response = await from.fetch(`${from.baseUrl}/v1/notifications?channels=email&limit=10`, {
    headers: { authorization: `ApiKey ${from.apiKey}` }
  })
  return response.text()
}

const contestants: ReadonlyArray<Contestant> = [
  { name: "bare fetch", run: () => bareFetch(markUrl, mark("key")) },
  { name: "fake fetch", run: () => fake.fetch(markUrl, mark(fake.apiKey)) },
  { name: "environment", run: () => tenThousand.environment({ data: "empty" }) },
  { name: "page of 1000", run: () => listPage(few) },
  { name: "page of 1000000", run: () => listPage(million) }
]

// For so long, V8 collects what generating a million events left behind, and compiles the fake.
await serveRounds(contestants, { warmUpMs: 3_000 })
