import { assert, describe, it } from "@effect/vitest"
import { liveView } from "../control/LiveView.ts"
import { createFake, Fault, manualClock } from "../index.ts"
import { type ListedEntry, outcomeText, type RequestOutcome } from "../journal/JournalEntry.ts"
import {
  callOf,
  environmentOf,
  hashOf,
  initial,
  type Model,
  type Msg,
  msgOfKey,
  placeOf,
  reasonOf,
  shownEntry,
  unmatchedReason,
  update,
  visibleCalls,
  windowSize
} from "./Model.ts"

const after = (...msgs: ReadonlyArray<Msg>): Model => msgs.reduce(update, initial)

const scene = () => {
  const fake = createFake({ data: "empty", clock: manualClock() })
  const view = liveView(fake)
  const batch = (): Msg => ({ _tag: "Batch", batch: view.next() ?? { entries: [] } })
  const request = (path: string, apiKey = fake.apiKey) =>
    fake.fetch(fake.baseUrl + path, { headers: { authorization: `ApiKey ${apiKey}` } }).catch(() => undefined)
  return { fake, view, batch, request }
}

const visibleEntries = (model: Model): ReadonlyArray<ListedEntry> => visibleCalls(model).flat()

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

  it("has the requests of the call of a request, and not those of other calls or environments", async () => {
    const { batch, fake, request } = scene()
    fake.faults.add(Fault.status(503))
    for (const page of [1, 1, 2]) await request(`/v1/notifications?page=${page}`)
    const model = after(batch())
    const [newest, second] = visibleEntries(model).toSorted((one, other) => other.number - one.number)
    assert(newest !== undefined && second !== undefined)
    const numbersOf = (entry: ListedEntry, shown = model) => callOf(shown, entry).map(({ number }) => number)
    assert.deepStrictEqual([numbersOf(newest), numbersOf(second)], [[3], [1, 2]])
    assert.deepStrictEqual(numbersOf(newest, { ...model, environment: 2 }), [])
  })

  it("reports why a request was rejected, got no response or matched nothing", async () => {
    const { batch, fake, request } = scene()
    await request("/v1/notifications?limit=99")
    await request("/v1/none")
    fake.faults.add(Fault.reset())
    await request("/v1/notifications")
    await request("/v1/notifications")
    const entries = visibleEntries(after(batch())).toSorted((one, other) => one.number - other.number)
    const reasons = entries.map(reasonOf)
    assert.include(reasons[0] ?? "", "limit")
    assert.include(reasons[1] ?? "", "Matches no operation: Cannot GET /v1/none; add it with fake.route or ")
    assert.strictEqual(reasons[2], "No response (reset); met the fault reset at received")
    assert.isUndefined(reasons[3])
    assert.deepStrictEqual(entries.map(outcomeText), ["400 Bad Request", "404 Not Found", "reset", "200 OK"])
  })

  it("shows the newest request until one is selected, and moves through them with keys", async () => {
    const { batch, request } = scene()
    for (const page of [1, 2, 3]) await request(`/v1/notifications?page=${page}`)
    const first = after(batch())
    const press = (model: Model, key: string) => {
      const msg = msgOfKey(key)
      return msg === undefined ? model : update(model, msg)
    }
    const shown = (...keys: ReadonlyArray<string>) => shownEntry(keys.reduce(press, first))?.number
    assert.strictEqual(shown(), 3)
    assert.strictEqual(shown("j"), 2)
    assert.strictEqual(shown("ArrowDown", "ArrowDown", "j"), 1)
    assert.strictEqual(shown("j", "k", "k"), 3)
    assert.strictEqual(shown("j", "Escape"), 3)
    assert.strictEqual(press(first, "3").tab, "Faults")
    assert.strictEqual(press(first, "x"), first)
  })

  it("delays new requests while it is paused", async () => {
    const { batch, request } = scene()
    await request("/v1/notifications?page=1")
    const paused = after(batch(), { _tag: "Pause" })
    await request("/v1/notifications?page=2")
    const later = update(paused, batch())
    assert.lengthOf(visibleEntries(later), 1)
    assert.strictEqual(environmentOf(later)?.requests, 2)
    assert.lengthOf(visibleEntries(update(later, { _tag: "Pause" })), 2)
  })

  it("keeps the place in the URL, and ignores what is no place", () => {
    const place = { environment: 2, request: 7, tab: "Switches", filter: "a b" } as const
    assert.deepStrictEqual(placeOf(hashOf(after({ _tag: "Open", place }))), place)
    assert.deepStrictEqual(placeOf("environment=x&tab=None"), { request: undefined, filter: "" })
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

  it("names every outcome, and the reason where something is wrong", async () => {
    const { fake, request } = scene()
    await request("/v1/notifications")
    const [entry] = fake.journal.entries()
    assert(entry)
    const cases: ReadonlyArray<readonly [RequestOutcome, Partial<ListedEntry>, string, string | undefined]> = [
      [{ _tag: "Pending" }, {}, "pending", undefined],
      [{ _tag: "ClientDisconnected" }, {}, "client left", "The client disconnected before the response"],
      [{ _tag: "NoResponse", failure: "refuse" }, {}, "refuse", "No response (refuse)"],
      [
        { _tag: "CutResponse", status: 200, failure: "close" },
        { faults: ["one", "two"] },
        "200 cut",
        "The body was cut (close); met the fault one, two"
      ],
      [{ _tag: "Response", status: 399 }, { faults: ["one"] }, "399", undefined],
      [{ _tag: "Response", status: 400 }, {}, "400", "Status 400"],
      [{ _tag: "Response", status: 503 }, { errorMessage: "down", faults: ["one"] }, "503", "down; met the fault one"],
      [{ _tag: "Response", status: 404 }, { operation: undefined }, "404", "Matches no operation: 404"]
    ]
    for (const [outcome, more, text, reason] of cases) {
      const changed = { ...entry, ...more, outcome }
      assert.deepStrictEqual([outcomeText(changed), reasonOf(changed)], [text, reason])
    }
  })

  it("finds requests by number, outcome, error, key and fault, in any case", async () => {
    const { batch, fake } = scene()
    fake.faults.add(Fault.reset())
    const headers = { authorization: `ApiKey ${fake.apiKey}`, "idempotency-key": "Key-7" }
    await fake.fetch(`${fake.baseUrl}/v1/notifications`, { headers }).catch(() => undefined)
    await fake.fetch(`${fake.baseUrl}/v1/notifications?limit=99`, { headers })
    const model = after(batch())
    const found = (text: string) => visibleEntries(update(model, { _tag: "Filter", text })).map(({ number }) => number)
    const all = ["#1", "  RESET ", "at received", "greater", "key-7", "get key-7 400", "get none", ""].map(found)
    assert.deepStrictEqual(all, [[1], [1], [1], [2], [1, 2], [2], [], [1, 2]])
  })

  it("shows one environment, tab and request at a time, and the outcome of the last action", () => {
    const { batch, fake } = scene()
    const second = fake.environment({ data: "empty" })
    const model = after({ _tag: "Connected" }, batch())
    assert.strictEqual(environmentOf(model)?.apiKey, fake.apiKey)
    assert.strictEqual(model.notice, "")
    const noticed = update(model, { _tag: "Notice", text: "done" })
    const chosen = update(noticed, { _tag: "Request", number: 4 })
    assert.deepInclude(chosen, { request: 4, tab: "Request", notice: "" })
    const tab = update(noticed, { _tag: "Tab", tab: "Clock" })
    assert.deepInclude(tab, { tab: "Clock", notice: "" })
    const other = update({ ...chosen, notice: "done" }, { _tag: "Environment", number: 2 })
    assert.deepInclude(other, { environment: 2, request: undefined, notice: "" })
    assert.strictEqual(environmentOf(other)?.apiKey, second.apiKey)
    const lost = update(noticed, { _tag: "Disconnected" })
    assert.deepStrictEqual([noticed.isConnected, noticed.notice, lost.isConnected], [true, "done", false])
    const again = update(lost, { _tag: "Connected" })
    assert.deepStrictEqual([again.isConnected, again.entries.size], [true, 0])
    assert.isUndefined(environmentOf(initial))
    assert.deepStrictEqual(visibleEntries(initial), [])
  })

  it("reports why a request matched no environment", () => {
    const request = { number: 1, at: 0, method: "GET", path: "/", query: "", status: 401, surface: "fetch" } as const
    const keys = ["missing", "malformed", "unknown"] as const
    assert.deepStrictEqual(
      keys.map((key) => unmatchedReason({ ...request, key, operation: "events.list" })),
      [
        "it came without an API key",
        "it came without the header Authorization: ApiKey <key>",
        "it came with an API key that no environment has"
      ]
    )
    assert.strictEqual(
      unmatchedReason({ ...request, key: "unknown", operation: undefined }),
      "it came with an API key that no environment has, and matches no operation"
    )
  })
})
