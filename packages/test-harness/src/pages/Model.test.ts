import { assert, describe, it } from "@effect/vitest"
import { liveView } from "../control/LiveView.ts"
import { createFake, Fault, manualClock } from "../index.ts"
import { initial, type Model, type Msg, outcomeText, reasonOf, update, visibleEntries, windowSize } from "./Model.ts"

const after = (...msgs: ReadonlyArray<Msg>): Model => msgs.reduce(update, initial)

const scene = () => {
  const fake = createFake({ data: "empty", clock: manualClock() })
  const view = liveView(fake)
  const batch = (): Msg => ({ _tag: "Batch", batch: view.next() ?? { entries: [] } })
  const request = (path: string, apiKey = fake.apiKey) =>
    fake.fetch(fake.baseUrl + path, { headers: { authorization: `ApiKey ${apiKey}` } }).catch(() => undefined)
  return { fake, view, batch, request }
}

describe("the model of the inspector", () => {
  it("shows the last requests of the environment, newest first, by the words of the filter", async () => {
    const { batch, request } = scene()
    for (let page = 0; page < windowSize + 5; page += 1) await request(`/v1/notifications?page=${page}`)
    const model = after(batch())
    const numbers = visibleEntries(model).map(({ number }) => number)
    assert.deepStrictEqual([numbers.length, numbers[0]], [windowSize, windowSize + 5])
    const filtered = visibleEntries(update(model, { _tag: "Filter", text: "EVENTS.list page=17" }))
    assert.deepStrictEqual(
      filtered.map(({ query }) => query),
      [
        "page=179",
        "page=178",
        "page=177",
        "page=176",
        "page=175",
        "page=174",
        "page=173",
        "page=172",
        "page=171",
        "page=170",
        "page=17"
      ]
    )
  })

  it("says why a request was rejected, got no response or matched nothing", async () => {
    const { batch, fake, request } = scene()
    await request("/v1/notifications?limit=99")
    await request("/v1/none")
    fake.faults.add(Fault.reset())
    await request("/v1/notifications")
    await request("/v1/notifications")
    const entries = visibleEntries(after(batch())).toReversed()
    const reasons = entries.map(reasonOf)
    assert.include(reasons[0] ?? "", "limit")
    assert.include(reasons[1] ?? "", "Matches no operation: Cannot GET /v1/none; expected one of: ")
    assert.strictEqual(reasons[2], "No response (reset); met the fault reset at received")
    assert.isUndefined(reasons[3])
    assert.deepStrictEqual(entries.map(outcomeText), ["400", "404", "reset", "200"])
  })

  it("forgets requests of a reset, and environments that were deleted", async () => {
    const { batch, fake, request } = scene()
    const other = fake.environment({ data: "empty" })
    await request("/v1/notifications?page=1")
    await request("/v1/notifications?page=1", other.apiKey)
    const model = after(batch(), { _tag: "Environment", number: 2 })
    assert.lengthOf(visibleEntries(model), 1)
    fake.deleteEnvironment(other.apiKey)
    fake.reset()
    await request("/v1/notifications?page=7")
    const later = update(model, batch())
    assert.strictEqual(later.environment, 1)
    assert.deepStrictEqual(
      visibleEntries(later).map(({ query }) => query),
      ["page=7"]
    )
  })

  it("gets a batch only after a change, with faults, clock and unmatched requests", async () => {
    const { batch, fake, request, view } = scene()
    assert.lengthOf(after(batch()).environments, 1)
    assert.isUndefined(view.next())
    fake.faults.add(Fault.status(503, { operation: "events.list" }))
    const [environment] = after(batch()).environments
    const fault = { number: 1, description: "status 503 at received", operation: "events.list", fired: 0, times: 1 }
    assert.deepInclude(environment, { manualTime: "2026-01-01T00:00:00.000Z", faults: [fault] })
    await request("/v1/notifications", "stranger")
    assert.deepInclude(after(batch()).unmatched[0], { key: "unknown", operation: "events.list" })
    view.stop()
    await request("/v1/notifications")
    assert.deepStrictEqual(view.next()?.entries, [])
  })
})
