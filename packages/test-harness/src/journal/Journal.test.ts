import { assert, describe, it } from "@effect/vitest"
import { createFake, Fault, timeline } from "../index.ts"
import type { Delivery } from "../wire/Delivery.ts"
import type { FakeRequest } from "../wire/FakeRequest.ts"
import { bodyOf } from "../wire/WireBody.ts"
import { inspect } from "node:util"
import { makeJournal } from "./Journal.ts"
import type { RequestOutcome } from "./JournalEntry.ts"

const response = (status: number): RequestOutcome => ({ _tag: "Response", status })
const lost: RequestOutcome = { _tag: "NoResponse", failure: "reset" }

const scene = (capacity = 10) => {
  const journal = makeJournal(capacity)
  const ask = (
    body: string,
    outcome: RequestOutcome,
    idempotencyKey?: string,
    headers: ReadonlyArray<readonly [string, string]> = [["authorization", "ApiKey very-secret"]],
    delivery?: Delivery
  ) => {
    const entry = open(body, idempotencyKey, headers)
    journal.finish(entry, outcome, 1, delivery)
    return entry
  }
  const open = (
    body: string,
    idempotencyKey?: string,
    headers: ReadonlyArray<readonly [string, string]> = [["authorization", "ApiKey very-secret"]]
  ) => {
    const request: FakeRequest = {
      surface: "fetch",
      method: "POST",
      path: "/v1/things",
      query: "",
      header: () => undefined,
      headers: () => headers,
      body
    }
    return journal.open({ request, at: 0, operation: undefined, subscriberId: undefined, idempotencyKey })
  }
  const places = () =>
    journal.entries().map(({ attempt, call, number, retryOf }) => ({ number, call, attempt, retryOf }))
  return { journal, ask, open, places }
}

describe("Journal", () => {
  it("requests with one key are attempts at one operation, whatever the outcome", () => {
    const { ask, places } = scene()
    for (const outcome of [lost, response(500), response(200), response(200)]) ask("a", outcome, "k1")
    ask("a", response(200), "k2")
    assert.deepStrictEqual(places(), [
      { number: 1, call: 1, attempt: 1, retryOf: undefined },
      { number: 2, call: 1, attempt: 2, retryOf: 1 },
      { number: 3, call: 1, attempt: 3, retryOf: 2 },
      { number: 4, call: 1, attempt: 4, retryOf: undefined },
      { number: 5, call: 2, attempt: 1, retryOf: undefined }
    ])
  })

  it("without keys, an equal request is another attempt until one succeeds", () => {
    const { ask, places } = scene()
    for (const outcome of [lost, response(200), response(200)]) ask("a", outcome)
    ask("b", lost)
    assert.deepStrictEqual(
      places().map(({ attempt, call }) => [call, attempt]),
      [
        [1, 1],
        [1, 2],
        [2, 1],
        [3, 1]
      ]
    )
  })

  it("a retry with another key is a retry; an equal request next to one in flight is not", () => {
    const { ask, places } = scene()
    ask("a", lost, "k1")
    ask("a", { _tag: "Pending" }, "k2")
    ask("a", response(200), "k3")
    assert.deepStrictEqual(
      places().map(({ call, retryOf }) => [call, retryOf]),
      [
        [1, undefined],
        [2, 1],
        [3, undefined]
      ]
    )
  })

  it("evicts the oldest entries, counts them, and no longer recognizes their retries", () => {
    const { ask, journal, places } = scene(2)
    ask("a", lost, "k1")
    ask("b", lost, "k2")
    ask("a", lost, "k1")
    assert.deepStrictEqual(
      places().map(({ attempt, number }) => [number, attempt]),
      [
        [2, 1],
        [3, 2]
      ]
    )
    ask("c", lost, "k3")
    ask("d", lost, "k4")
    ask("b", lost, "k2")
    ask("a", lost, "k1")
    assert.deepStrictEqual(places(), [
      { number: 6, call: 5, attempt: 1, retryOf: undefined },
      { number: 7, call: 6, attempt: 1, retryOf: undefined }
    ])
    assert.strictEqual(journal.evicted(), 5)
  })

  it("calls back after every change, until unsubscribed", () => {
    const { ask, journal } = scene()
    const seen: Array<string> = []
    const stop = journal.subscribe(({ number, outcome }) => seen.push(`${number} ${outcome._tag}`))
    const entry = ask("a", { _tag: "Pending" })
    journal.finish(entry, response(200), 1)
    journal.pass(entry, "answered", 1)
    stop()
    ask("b", lost)
    assert.deepStrictEqual(seen, ["1 Pending", "1 Pending", "1 Response", "1 Response"])
  })

  it("records when an exchange ended for its client", () => {
    const { ask, journal } = scene()
    const ends = (outcome: RequestOutcome) => {
      const entry = ask("a", outcome)
      const atOnce = entry.endedAt
      journal.end(entry, 5)
      return [atOnce, entry.endedAt]
    }
    assert.deepStrictEqual(ends(lost), [1, 1])
    assert.deepStrictEqual(ends({ _tag: "ClientDisconnected" }), [1, 1])
    assert.deepStrictEqual(ends({ _tag: "CutResponse", status: 200, failure: "close" }), [1, 1])
    assert.deepStrictEqual(ends({ _tag: "NoResponse", failure: "hang" }), [undefined, 5])
    assert.deepStrictEqual(ends({ _tag: "CutResponse", status: 200, failure: "hang" }), [undefined, 5])
    assert.deepStrictEqual(ends(response(200)), [undefined, 5])
  })

  it("is empty after being cleared", () => {
    const { ask, journal, places } = scene(1)
    ask("a", lost, "k1")
    ask("a", lost, "k1")
    journal.clear()
    assert.deepStrictEqual([journal.entries(), journal.evicted()], [[], 0])
    ask("a", response(200), "k1")
    assert.deepStrictEqual(places(), [{ number: 1, call: 1, attempt: 1, retryOf: undefined }])
  })

  it("contains no API key", () => {
    const { ask, journal } = scene()
    ask("a", response(200))
    assert.notInclude(JSON.stringify(journal.entries()), "very-secret")
  })

  it("keeps only size and hash of bodies that are too large, alone or together", () => {
    const { ask, journal } = scene(1_000)
    ask("x".repeat(64_001), response(200))
    ask("y".repeat(64_001), response(413))
    ask("z", response(413))
    const [long, rejected, short] = journal.entries().map(({ body }) => body)
    assert.deepInclude(long, { omitted: "too-large", bytes: 64_001 })
    assert.deepInclude(rejected, { omitted: "too-large", bytes: 64_001 })
    assert.deepInclude(short, { omitted: "rejected", bytes: 1 })
    for (let number = 0; number < 300; number += 1) ask(`${number}`.padEnd(60_000, "."), response(200))
    const bodies = journal.entries().map(({ body }) => (typeof body === "string" ? body.length : body))
    const total = bodies.reduce<number>((sum, body) => sum + (typeof body === "number" ? body : 0), 0)
    assert.isAtMost(total, 16_000_000)
    assert.isAtLeast(total, 15_900_000)
    assert.deepInclude(bodies[3], { omitted: "evicted", bytes: 60_000 })
    assert.strictEqual(bodies.at(-1), 60_000)
    assert.strictEqual(journal.evicted(), 0)
  })

  it("omits the oldest bodies first, also after entries were evicted", () => {
    const { ask, journal } = scene(300)
    for (let number = 0; number < 200; number += 1) ask(`${number}`, response(200))
    for (let number = 0; number < 300; number += 1) ask(`${number}`.padEnd(60_000, "."), response(200))
    const isKept = journal.entries().map(({ body }) => typeof body === "string")
    const omitted = isKept.filter((kept) => !kept).length
    assert.isAbove(omitted, 0)
    assert.strictEqual(isKept.indexOf(true), omitted)
  })

  it("keeps the responses: status line, body and the effect of a fault, without secrets", async () => {
    const fake = createFake({ data: "empty" })
    fake.addSubscriber({ subscriberId: "ana" })
    fake.addIntegration({ providerId: "fcm" })
    const send = (method: string, path: string, body?: object) =>
      fake
        .fetch(`${fake.baseUrl}/v1${path}`, {
          method,
          headers: { authorization: `ApiKey ${fake.apiKey}`, "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
        .then((response) => response.text())
        .catch(() => "")
    await send("PATCH", "/subscribers/ana/credentials", {
      providerId: "fcm",
      credentials: { deviceTokens: ["secret-token"] }
    })
    fake.faults.add(Fault.cutBody({ afterBytes: 5, failure: "reset" }))
    await send("GET", "/notifications")
    fake.faults.add(Fault.status(503, { body: { message: `no ${fake.apiKey}` } }))
    await send("GET", "/notifications")
    fake.faults.add(Fault.reset())
    await send("GET", "/notifications")
    const [upsert, cut, rejected, lost] = fake.journal.entries()
    assert.strictEqual(upsert?.statusLine, "200 OK")
    assert.nestedInclude(upsert?.responseBody, { "channels[0].credentials.deviceTokens[0]": "<redacted>" })
    assert.deepInclude(cut, {
      responseBody: { data: [], hasMore: false, page: 0, pageSize: 10 },
      faultEffect: "cut after 5 of 50 bytes, then reset"
    })
    assert.deepInclude(rejected, { statusLine: "503 Service Unavailable", responseBody: { message: "no <redacted>" } })
    assert.deepInclude(lost, { statusLine: undefined, responseBody: undefined, faultEffect: "no response: reset" })
    assert.notInclude(JSON.stringify(fake.journal.entries()), "secret-token")
  })

  it.each([
    [422, ""],
    [413, ""],
    [422, "x".repeat(64_000)]
  ])(
    "shows no token that a response %i echoes: of its request, or stored for its subscriber",
    async (status, filler) => {
      const fake = createFake({ data: "empty" })
      fake.addSubscriber({ subscriberId: "ana" })
      fake.addIntegration({ providerId: "fcm" })
      const store = (token: string) =>
        fake.fetch(`${fake.baseUrl}/v1/subscribers/ana/credentials`, {
          method: "PATCH",
          headers: { authorization: `ApiKey ${fake.apiKey}`, "content-type": "application/json" },
          body: JSON.stringify({ providerId: "fcm", credentials: { deviceTokens: [token] }, filler })
        })
      await store("stored-token-1")
      fake.faults.add(
        Fault.status(status, { body: { message: "sent-token-2 replaces stored-token-1", also: ["sent-token-2"] } })
      )
      await store("sent-token-2")
      const [, rejected] = fake.journal.entries()
      assert.strictEqual(rejected?.errorMessage, "<redacted> replaces <redacted>")
      assert.deepStrictEqual(rejected?.responseBody, {
        message: "<redacted> replaces <redacted>",
        also: ["<redacted>"]
      })
      assert.notMatch(timeline(fake), /token-[12]/u)
    }
  )

  it("shows no token in the message of a response whose bodies were evicted", () => {
    const { ask, journal } = scene(1_000)
    const body = bodyOf(JSON.stringify({ message: "sent-token-2 is wrong" }))
    ask(JSON.stringify({ token: "sent-token-2" }), response(422), undefined, [], {
      _tag: "Whole",
      response: { status: 422, headers: {}, body }
    })
    for (let number = 0; number < 300; number += 1) ask(`${number}`.padEnd(60_000, "."), response(200))
    const [evicted] = journal.entries()
    assert.deepInclude(evicted?.body, { omitted: "evicted" })
    assert.strictEqual(evicted?.errorMessage, "<redacted> is wrong")
  })

  it("keeps responses under the limits of requests", () => {
    const { ask, journal } = scene(1_000)
    const answer = (length: number): Delivery => ({
      _tag: "Whole",
      response: { status: 200, headers: {}, body: bodyOf("r".repeat(length)) }
    })
    ask("", response(200), undefined, [], answer(64_001))
    assert.deepStrictEqual(journal.entries()[0]?.responseBody, { omitted: "too-large", characters: 64_001 })
    for (let number = 0; number < 300; number += 1)
      ask("q".repeat(20_000), response(200), `${number}`, [], answer(40_000))
    const lengths = journal
      .entries()
      .map(({ body, responseBody }) => [body, responseBody].map((one) => String(one).length))
    assert.deepStrictEqual(journal.entries()[1]?.responseBody, { omitted: "evicted", characters: 40_000 })
    assert.deepStrictEqual(lengths.at(-1), [20_000, 40_000])
    const kept = lengths.filter(([, length]) => length === 40_000).length
    assert.isAtMost(kept * 60_000, 16_000_000)
    assert.isAtLeast(kept * 60_000, 15_900_000)
  })

  it("counts no body of a request that was cleared or evicted while it was in flight", () => {
    const { ask, journal, open } = scene(2)
    const inFlight = open("a")
    journal.clear()
    for (let number = 0; number < 400; number += 1) {
      journal.finish(inFlight, response(200), 1, {
        _tag: "Whole",
        response: { status: 200, headers: {}, body: bodyOf("r".repeat(60_000)) }
      })
    }
    ask("b", response(200))
    ask("c", response(200))
    assert.deepStrictEqual(
      journal.entries().map(({ body }) => body),
      ["b", "c"]
    )
  })

  it("contains no cookies and no keys of other schemes", () => {
    const { ask } = scene()
    const entry = ask("a", response(200), undefined, [
      ["cookie", "session=1"],
      ["x-api-key", "k"],
      ["proxy-authorization", "Basic abc"],
      ["accept", "*/*"]
    ])
    assert.deepStrictEqual(entry.headers, {
      cookie: "<redacted>",
      "x-api-key": "<redacted>",
      "proxy-authorization": "<redacted>",
      accept: "*/*"
    })
  })

  it("contains the API key nowhere, in no encoding", () => {
    const key = "key/of+journal-1"
    const forms = [key, encodeURIComponent(key), btoa(key), btoa(`user:${key}`)]
    const { journal, ask } = scene()
    ask(JSON.stringify({ note: forms.join(" ") }), response(400), undefined, [
      ["authorization", `ApiKey ${key}`],
      ["x-debug", forms.join(" ")]
    ])
    const all = JSON.stringify(journal.entries())
    for (const form of [...forms, forms.at(-1)?.slice(7, -4) ?? ""]) assert.notInclude(all, form)
  })

  it("shows consoles the whole entry, without keys", () => {
    const shown = inspect(scene().ask('{"a":1}', response(200)))
    assert.include(shown, "path: '/v1/things'")
    assert.include(shown, "body: { a: 1 }")
    assert.notInclude(shown, "very-secret")
  })

  it("contains no secret of a path or a query", () => {
    const { journal } = scene()
    const request: FakeRequest = {
      surface: "fetch",
      method: "GET",
      path: "/v1/very-secret/things",
      query: "limit=5&apiKey=another-secret&token=third-secret",
      header: () => undefined,
      headers: () => [["authorization", "ApiKey very-secret"]],
      body: ""
    }
    const place = { at: 0, operation: undefined, subscriberId: undefined, idempotencyKey: undefined }
    const entry = journal.open({ request, ...place })
    assert.strictEqual(entry.query, "limit=5&apiKey=<redacted>&token=<redacted>")
    assert.strictEqual(entry.path, "/v1/very-secret/things", "words stay: the key of a test can be part of an id")
  })
})
