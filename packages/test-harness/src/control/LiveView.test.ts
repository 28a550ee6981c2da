import { assert, describe, it } from "@effect/vitest"
import { createFake, Fault, manualClock } from "../index.ts"
import { listen } from "../server.ts"
import { type LiveBatch, liveEventsPath, liveView } from "./LiveView.ts"

/** Reads the events of a stream. */
const eventsOf = ({ body }: Response) => {
  if (body === null) throw new Error("The response has no body")
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  const next = async (): Promise<LiveBatch> => {
    for (;;) {
      const end = text.indexOf("\n\n")
      if (end >= 0) {
        const event = text.slice(0, end)
        text = text.slice(end + 2)
        assert.isTrue(event.startsWith("data: "))
        return JSON.parse(event.slice(6))
      }
      const { done, value } = await reader.read()
      assert.isFalse(done, "the stream ended")
      text += decoder.decode(value, { stream: true })
    }
  }
  return { next, cancel: () => reader.cancel() }
}

describe("the live view of a fake", () => {
  it("has everything first, then what has changed, and at most the last 200 requests", async () => {
    const fake = createFake({ data: "empty", clock: manualClock("2026-05-01T08:00:00Z") })
    const list = (page: number, apiKey = fake.apiKey) =>
      fake.fetch(`${fake.baseUrl}/v1/notifications?page=${page}`, { headers: { authorization: `ApiKey ${apiKey}` } })
    fake.faults.add(Fault.status(503, { operation: "messages.markAs" }))
    fake.faults.add(Fault.reset({ times: "always" }))
    fake.faults.add(Fault.latency(5, { probability: 0.5 }))
    const view = liveView(fake)
    const { apiKey } = fake
    const faults = [
      { number: 1, description: "status 503 at received", operation: "messages.markAs", fired: 0, times: 1 },
      { number: 2, description: "reset at received", fired: 0, times: 0 },
      { number: 3, description: "latency of 5 ms at received", fired: 0, times: 0 }
    ]
    const first = JSON.parse(JSON.stringify(view.next()))
    assert.deepStrictEqual(first, {
      environments: [{ apiKey, number: 1, manualTime: "2026-05-01T08:00:00.000Z", requests: 0, faults }],
      entries: [],
      unmatched: { count: 0, entries: [] }
    })
    assert.isUndefined(view.next())
    fake.faults.clear()
    for (let page = 0; page < 205; page += 1) await list(page)
    const second = view.next()
    assert.strictEqual(second?.environments?.[0]?.requests, 205)
    assert.isUndefined(second?.unmatched)
    assert.deepStrictEqual(
      second?.entries.map(({ entry, environment }) => [environment, entry.number]),
      Array.from({ length: 200 }, (_, at) => [1, at + 6])
    )
    await list(1, "stranger")
    assert.deepInclude(view.next()?.unmatched, { count: 1 })
    fake.environment({ data: "empty" })
    assert.deepStrictEqual(
      view.next()?.environments?.map(({ manualTime, number }) => [number, manualTime === undefined]),
      [
        [1, false],
        [2, true]
      ]
    )
    view.stop()
    await list(2)
    assert.deepStrictEqual(view.next()?.entries ?? [], [])
  })

  it("is a stream of events, which only this machine can read", async () => {
    const fake = createFake({ data: "empty" })
    await using server = await listen(fake)
    const response = await fetch(server.url + liveEventsPath)
    assert.deepStrictEqual(
      [response.status, response.headers.get("content-type"), response.headers.get("cache-control")],
      [200, "text/event-stream", "no-store"]
    )
    const events = eventsOf(response)
    assert.strictEqual((await events.next()).environments?.[0]?.apiKey, fake.apiKey)
    await fetch(`${server.url}/v1/notifications`, { headers: { authorization: `ApiKey ${fake.apiKey}` } })
    const { entries } = await events.next()
    assert.deepStrictEqual(
      entries.map(({ entry }) => entry.path),
      ["/v1/notifications"]
    )
    await events.cancel()
    const rejected = await fetch(server.url + liveEventsPath, { headers: { origin: "https://page.test" } })
    assert.strictEqual(rejected.status, 403)
    const posted = await fetch(server.url + liveEventsPath, { method: "POST" })
    assert.strictEqual(posted.status, 404)
  })
})
