import { assert, describe, expect, it } from "@effect/vitest"
import type * as Schema from "effect/Schema"
import { request as httpRequest } from "node:http"
import { createFake } from "../environment/Fake.ts"
import { listen } from "../server.ts"
import { inputReader } from "../input/Input.ts"
import type { JournalEntry } from "../journal/JournalEntry.ts"
import { controlActions } from "./ControlActions.ts"
import { isFromPage } from "./ControlApi.ts"
import { controlResults } from "./ControlResults.ts"

const start = async () => {
  const fake = createFake({ data: "empty" })
  const server = await listen(fake)
  const call = async (method: string, path: string, body?: unknown, apiKey = fake.apiKey) => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `ApiKey ${apiKey}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
    })
    const result = (await response.json()) as Record<string, unknown>
    if (response.ok) assertDocumented(method, path, response.status, result)
    return { status: response.status, body: result }
  }
  return { fake, server, call, [Symbol.asyncDispose]: server.close }
}

/** The actions with a response that was compared with its schema. */
const compared = new Set<string>()

/** Asserts that an action responds with the status and the result of the OpenAPI document. */
const assertDocumented = (method: string, path: string, status: number, body: unknown): void => {
  const parts = (path.split("?")[0] ?? "").split("/")
  const action = controlActions.find(
    (one) =>
      one.method === method &&
      one.path.split("/").length === parts.length &&
      one.path.split("/").every((part, at) => part.startsWith("{") || part === parts[at])
  )
  if (action === undefined) return
  const name = `${method} ${action.path}`
  assert.strictEqual(status, action.creates === true ? 201 : 200, name)
  const schema = controlResults[name]
  assert.isDefined(schema, name)
  // The schemas of results only describe JSON.
  if (schema !== undefined) inputReader(name, () => schema as Schema.Codec<unknown>)(body)
  compared.add(name)
}

/** Creates an environment and returns its key. */
const created = async (scene: Awaited<ReturnType<typeof start>>, options: object): Promise<string> =>
  String((await scene.call("POST", "/_fake/environments", options)).body["apiKey"])

/** Sends a request with headers that `fetch` does not let a program set. */
const askWith = (url: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    httpRequest(url, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .once("error", reject)
      .end()
  })

describe("ControlApi", () => {
  it("describes itself", async () => {
    await using scene = await start()
    const { body } = await scene.call("GET", "/_fake")
    const paths = (body["actions"] as ReadonlyArray<{ method: string; path: string }>).map(
      ({ method, path }) => `${method} ${path}`
    )
    assert.deepStrictEqual(
      paths,
      controlActions.map(({ method, path }) => `${method} ${path}`)
    )
  })

  it("serves a route with a fixed response, which meets faults and expectations", async () => {
    await using scene = await start()
    const rule = { name: "topics.list", method: "GET", path: "/v1/topics", body: { data: [{ key: "news" }] } }
    assert.deepStrictEqual(await scene.call("POST", "/_fake/routes", rule), {
      status: 201,
      body: { name: "topics.list" }
    })
    await scene.call("POST", "/_fake/faults", { form: { _tag: "Status", status: 503 }, operation: "topics.list" })
    assert.strictEqual((await scene.call("GET", "/v1/topics")).status, 503)
    assert.deepStrictEqual(await scene.call("GET", "/v1/topics?limit=1"), { status: 200, body: rule.body })
    const { body } = await scene.call("GET", "/_fake/journal?operation=topics.list&status=200")
    assert.lengthOf(body["entries"] as ReadonlyArray<unknown>, 1)
    const expectations = [{ name: "received", request: { operation: "topics.list", query: { limit: "1" } }, count: 1 }]
    assert.isTrue((await scene.call("POST", "/_fake/expect", { expectations })).body["met"])
    await scene.call("POST", "/_fake/routes", { ...rule, status: 409, body: { message: "busy" } })
    assert.deepStrictEqual(await scene.call("GET", "/v1/topics"), { status: 409, body: { message: "busy" } })
  })

  it("serves routes that keep records, which belong to their environment and a reset removes", async () => {
    await using scene = await start()
    const key = await created(scene, { data: "empty" })
    const other = await created(scene, { data: "empty" })
    for (const [name, method, path, stateKey] of [
      ["topics.create", "POST", "/v1/topics", "body.key"],
      ["topics.get", "GET", "/v1/topics/:topicKey", "path.topicKey"],
      ["topics.rename", "PATCH", "/v1/topics/:topicKey", "path.topicKey"],
      ["topics.remove", "DELETE", "/v1/topics/:topicKey", "path.topicKey"]
    ]) {
      for (const one of [key, other]) await scene.call("POST", "/_fake/routes", { name, method, path, stateKey }, one)
    }
    const topic = async (method: string, name = "/news", body?: unknown, apiKey = key) => {
      const response = await scene.call(method, `/v1/topics${name}`, body, apiKey)
      return [response.status, response.body]
    }
    const news = { key: "news", name: "News" }
    const none = [404, { message: 'topics.get: there is no "news"' }]
    assert.deepStrictEqual(await topic("GET"), none)
    assert.deepStrictEqual(await topic("POST", "", news), [201, news])
    assert.deepStrictEqual(await topic("GET"), [200, news])
    assert.deepStrictEqual(await topic("GET", "/news", undefined, other), none)
    assert.deepStrictEqual(await topic("PATCH", "/news", { name: "New" }), [200, { key: "news", name: "New" }])
    assert.deepStrictEqual(await topic("DELETE"), [200, { key: "news", name: "New" }])
    assert.deepStrictEqual(await topic("GET"), none)
    assert.deepStrictEqual(await topic("POST", "", {}), [422, { message: "body.key is missing" }])
    await topic("POST", "", news)
    await scene.call("POST", "/_fake/reset", undefined, key)
    assert.deepStrictEqual(await topic("GET"), none)
  })

  it("delays the response of a route by the clock of its environment", async () => {
    await using scene = await start()
    const key = await created(scene, { data: "empty", clock: "2026-05-01T08:00:00Z" })
    const route = { name: "topics.list", method: "GET", path: "/v1/topics", body: {}, delayMs: 60_000 }
    await scene.call("POST", "/_fake/routes", route, key)
    const response = scene.call("GET", "/v1/topics", undefined, key)
    await scene.call("POST", "/_fake/wait", { target: { operation: "topics.list" }, timeoutMs: 10_000 }, key)
    await scene.call("POST", "/_fake/clock", { advanceMs: 60_000 }, key)
    assert.deepStrictEqual(await response, { status: 200, body: {} })
  })

  it("goes from a new environment to a failed notification, without a line of TypeScript", async () => {
    await using scene = await start()
    const made = await scene.call("POST", "/_fake/environments", {
      data: "empty",
      preset: "observed",
      switches: { "list.hasMore": "exact" },
      clock: "2026-05-01T08:00:00Z"
    })
    assert.strictEqual(made.status, 201)
    const key = String(made.body["apiKey"])
    const call = (method: string, path: string, body?: unknown) => scene.call(method, path, body, key)

    const seeded = await call("POST", "/_fake/seed", {
      subscribers: [{ subscriberId: "ana", email: "ana@example.test" }],
      integrations: [{ providerId: "fcm" }],
      workflows: [{ identifier: "welcome", steps: [{ type: "in_app", content: "Hello" }] }],
      generate: { events: 3, messages: 2 }
    })
    assert.strictEqual(seeded.status, 201)
    const triggered = await call("POST", "/_fake/trigger", { workflow: "welcome", to: "ana" })
    assert.strictEqual(triggered.status, 201)
    assert.deepStrictEqual((await call("POST", "/_fake/clock", { advanceMs: 3_600_000 })).body, {
      now: "2026-05-01T09:00:00.000Z"
    })
    const now = "2026-05-01T09:30:00.000Z"
    assert.deepStrictEqual((await call("POST", "/_fake/clock", { set: now })).body, { now })
    assert.deepStrictEqual((await call("POST", "/_fake/clock", { runNext: true })).body, { now, ran: false })
    const listed = await call("GET", `/v1/notifications?transactionId=${String(triggered.body["transactionId"])}`)
    assert.lengthOf(listed.body["data"] as ReadonlyArray<unknown>, 1)
    assert.lengthOf((await call("GET", "/v1/notifications")).body["data"] as ReadonlyArray<unknown>, 4)

    const { body: armed } = await call("POST", "/_fake/faults", {
      form: { _tag: "Status", status: 503 },
      point: "received"
    })
    assert.deepInclude(armed, { number: 1, fired: 0 })
    assert.strictEqual((await call("GET", "/v1/notifications")).status, 503)
    assert.deepInclude((await scene.call("GET", "/_fake/faults", undefined, key)).body[0], { fired: 1 })
    assert.deepStrictEqual((await call("DELETE", "/_fake/faults")).body, { neverFired: [] })

    const journal = await call("GET", "/_fake/journal?after=2")
    assert.deepInclude(journal.body, { evicted: 0 })
    assert.deepInclude((journal.body["entries"] as ReadonlyArray<object>)[0], {
      number: 3,
      operation: "events.list",
      outcome: { _tag: "Response", status: 503 }
    })
    assert.notInclude(JSON.stringify(journal.body), key)

    const { body: environment } = await call("GET", "/_fake/verdicts")
    assert.deepInclude(environment[2], { operation: "events.list", applied: 0, outcome: "failure" })

    await call("POST", "/_fake/reset")
    assert.deepStrictEqual((await call("GET", "/_fake/journal")).body, {
      capacity: 10_000,
      evicted: 0,
      entries: [],
      unmatchedRequests: 0
    })
    assert.lengthOf((await call("GET", "/v1/notifications")).body["data"] as ReadonlyArray<unknown>, 0)
  })

  const mistakes: ReadonlyArray<readonly [path: string, body: unknown]> = [
    ["/_fake/environments", { data: "full" }],
    ["/_fake/environments", { preset: "mine" }],
    ["/_fake/environments", { switches: { envelope: "box" } }],
    ["/_fake/environments", { clock: "soon" }],
    ["/_fake/environments", { events: 1e15 }],
    ["/_fake/seed", { generate: { subscribers: 100_001 } }],
    ["/_fake/environments", []],
    ["/_fake/environments", { sed: 1 }],
    ["/_fake/environments", { seed: "1" }],
    ["/_fake/environments", { seed: 1.5 }],
    ["/_fake/seed", { subscribers: {} }],
    ["/_fake/seed", { subscribers: [{ subscriberId: 7 }] }],
    ["/_fake/seed", { messages: [{ subscriberId: "ana", read: 1 }] }],
    ["/_fake/faults", "7"],
    ["/_fake/faults", { form: { _tag: "RateLimited", retry_after_ms: 5 } }],
    ["/_fake/trigger", `{"workflow":"welcome","to":"ana","payload":${'{"a":'.repeat(1_000)}1${"}".repeat(1_000)}}`],
    ["/_fake/environments", "{"],
    ["/_fake/trigger", { workflow: "welcome" }],
    ["/_fake/trigger", { workflow: "none", to: "ana" }],
    ["/_fake/seed", { subscribers: [{ firstName: "Ana" }] }],
    ["/_fake/seed", { integrations: [{ providerId: "pigeon" }] }],
    ["/_fake/seed", { integrations: [{ providerId: "fmc" }] }],
    ["/_fake/seed", { people: [] }],
    ["/_fake/clock", { advanceMs: 1 }],
    ["/_fake/faults", { form: { _tag: "Refuse" }, point: "committed" }],
    ["/_fake/faults", { form: { _tag: "Status", status: 503 }, at: "committed" }],
    ["/_fake/expect", { expectations: [] }],
    ["/_fake/routes", { method: "GET", path: "/v1/topics" }],
    ["/_fake/routes", { name: "topics", method: "GET", path: "/v1/topics" }],
    ["/_fake/routes", { name: "topics.list", method: "get", path: "/" }],
    ["/_fake/routes", { name: "topics.list", method: "GET", path: "/v1/topics?page=1" }],
    ["/_fake/routes", { name: "topics.list", method: "GET", path: "/v1/topics", state: "key" }],
    ["/_fake/routes", { name: "topics.list", method: "GET", path: "/v1/topics", stateKey: "key" }]
  ]

  it("mistakes.txt has the message of each mistake", async () => {
    await using scene = await start()
    const lines: Array<string> = []
    for (const [path, sent] of mistakes) {
      const { body, status } = await scene.call("POST", path, sent)
      assert.strictEqual(status, 400)
      lines.push(`${path} ${JSON.stringify(sent).slice(0, 100)}`, `  ${String(body["message"])}`)
    }
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("./mistakes.txt")
  })

  it("seeds all or nothing", async () => {
    await using scene = await start()
    const workflows = [{ identifier: "welcome", steps: [{ type: "in_app" }] }]
    const { body, status } = await scene.call("POST", "/_fake/seed", {
      subscribers: [{ subscriberId: "ana" }],
      workflows,
      generate: { events: -1 }
    })
    assert.strictEqual(status, 400)
    assert.include(String(body["message"]), "generate.events: must be an integer")
    assert.lengthOf(scene.fake.state().subscribers, 0)
    assert.lengthOf(scene.fake.state().workflows, 0)
    const seeded = await scene.call("POST", "/_fake/seed", { workflows })
    assert.strictEqual(seeded.status, 201)
    assert.hasAllKeys(seeded.body, ["subscribers", "integrations", "workflows", "messages", "events"])
  })

  it("responds to other requests while it generates records", async () => {
    await using scene = await start()
    await scene.call("POST", "/_fake/seed", { workflows: [{ identifier: "welcome", steps: [{ type: "in_app" }] }] })
    const seeding = scene.call("POST", "/_fake/seed", { generate: { subscribers: 4_000, events: 20_000 } })
    const seeded = new AbortController()
    void seeding.then(() => seeded.abort())
    const sizes: Array<number> = []
    scene.fake.journal.subscribe(() => sizes.push(scene.fake.state().events.length))
    while (!seeded.signal.aborted) assert.strictEqual((await scene.call("GET", "/v1/notifications")).status, 200)
    assert.strictEqual((await seeding).status, 201)
    assert.lengthOf(scene.fake.state().events, 20_000)
    assert.isBelow(Math.min(...sizes), 20_000)
  })

  it("names the allowed query parameters", async () => {
    await using scene = await start()
    const refused = async (method: string, path: string) => {
      const { body, status } = await scene.call(method, path)
      assert.strictEqual(status, 400)
      return body["message"]
    }
    assert.strictEqual(
      await refused("GET", "/_fake/journal?aftr=1"),
      "/_fake/journal.aftr: unknown option; did you mean after? Expected one of: after, limit, operation, outcome, status, key, call"
    )
    assert.strictEqual(await refused("GET", "/_fake/verdicts?after=1"), "/_fake/verdicts.after: unknown option")
    assert.strictEqual(
      await refused("GET", "/_fake/journal?after=-1"),
      'after: must be an integer, 0 or more, not "-1"'
    )
    assert.strictEqual(
      await refused("GET", "/_fake/journal?outcome=Lost"),
      'outcome: must be one of Pending, Response, CutResponse, NoResponse, ClientDisconnected, not "Lost"'
    )
  })

  it("names the action or the switch that was probably meant", async () => {
    await using scene = await start()
    const message = async (method: string, path: string, body?: object) =>
      String((await scene.call(method, path, body)).body["message"])
    assert.strictEqual(
      await message("PUT", "/_fake/faults"),
      "Cannot PUT /_fake/faults; did you mean POST /_fake/faults? GET /_fake lists all actions"
    )
    assert.include(await message("GET", "/_fake/journals"), "did you mean GET /_fake/journal?")
    assert.include(await message("PUT", "/_fake/something/else"), "there is GET /_fake, POST /_fake/environments")
    assert.include(
      await message("POST", "/_fake/switches", { "list.badLimt": "400" }),
      "unknown switch; did you mean list.badLimit?"
    )
  })

  it("has a name for each operation, and a type for each result", async () => {
    await using scene = await start()
    const { body } = await scene.call("GET", "/_fake/openapi.json")
    const operations = Object.values(body["paths"] as Record<string, Record<string, { readonly operationId?: string }>>)
    const names = operations.flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
    assert.lengthOf(names, controlActions.length + 1)
    assert.strictEqual(new Set(names).size, names.length)
    assert.notInclude(names, undefined)
    assert.notInclude(JSON.stringify(body), '"not":')
  })

  it("filters and limits the journal", async () => {
    await using scene = await start()
    const send = (method: string, path: string, body?: object) => scene.call(method, `/v1${path}`, body)
    await send("GET", "/notifications")
    await send("POST", "/subscribers/u_10377/messages/mark-as", { messageId: ["none"], markAs: "read" })
    await send("GET", "/notifications?limit=0")
    await send("GET", "/nowhere")
    const numbers = async (query: string) => {
      const { body } = await scene.call("GET", `/_fake/journal${query}`)
      return (body["entries"] as ReadonlyArray<JournalEntry>).map(({ number }) => number)
    }
    const all = await numbers("")
    assert.deepStrictEqual(all, [1, 2, 3, 4])
    assert.deepStrictEqual(await numbers("?limit=2"), [3, 4])
    assert.deepStrictEqual(await numbers("?limit=0"), [])
    assert.deepStrictEqual(await numbers("?after=1&limit=2"), [2, 3])
    assert.deepStrictEqual(await numbers("?operation=events.list"), [1, 3])
    assert.deepStrictEqual(await numbers("?operation=events.list&status=400"), [3])
    assert.deepStrictEqual(await numbers("?outcome=NoResponse"), [])
    assert.deepStrictEqual(await numbers("?key=unknown"), [])
    assert.deepStrictEqual(await numbers("?call=4"), [4])
  })

  it("lists requests that matched no environment", async () => {
    await using scene = await start()
    const made = await scene.call("POST", "/_fake/environments", { data: "empty" })
    const key = String(made.body["apiKey"])
    assert.strictEqual((await scene.call("GET", "/v1/notifications", undefined, "secret-of-production")).status, 401)
    assert.deepStrictEqual((await scene.call("GET", "/_fake/journal", undefined, key)).body, {
      capacity: 10_000,
      evicted: 0,
      entries: [],
      unmatchedRequests: 1
    })
    assert.strictEqual((await scene.call("GET", "/_fake")).body["unmatchedRequests"], 1)
    // The key of the unmatched request is not valid here, and no key is needed.
    const { body, status } = await scene.call("GET", "/_fake/unmatched-requests", undefined, "secret-of-production")
    assert.strictEqual(status, 200)
    assert.strictEqual(body["count"], 1)
    const [stranger] = body["entries"] as ReadonlyArray<object>
    assert.deepInclude(stranger, {
      number: 1,
      operation: "events.list",
      key: "unknown",
      status: 401,
      surface: "server"
    })
    assert.notInclude(JSON.stringify(body), "secret-of-production")
    await scene.call("POST", "/_fake/reset", undefined, key)
    assert.deepStrictEqual((await scene.call("GET", "/_fake/unmatched-requests", undefined, key)).body, {
      count: 0,
      entries: []
    })
    assert.strictEqual((await scene.call("GET", "/_fake/unmatched-requests")).body["count"], 1)
  })

  it("checks nothing after requests were evicted, until the capacity is larger", async () => {
    await using scene = await start()
    const verdictsOfTwo = async (options: object) => {
      const made = await scene.call("POST", "/_fake/environments", { data: "empty", ...options })
      const key = String(made.body["apiKey"])
      await scene.call("GET", "/v1/notifications?page=1", undefined, key)
      await scene.call("GET", "/v1/notifications?page=2", undefined, key)
      return scene.call("GET", "/_fake/verdicts", undefined, key)
    }
    const { body, status } = await verdictsOfTwo({ journalCapacity: 1 })
    assert.strictEqual(status, 409)
    assert.include(String(body["message"]), "journalCapacity: 4")
    assert.strictEqual((await verdictsOfTwo({ journalCapacity: 4 })).status, 200)
  })

  it("requires the key of an environment for actions on one", async () => {
    await using scene = await start()
    const { body, status } = await scene.call("POST", "/_fake/reset", {}, "stranger")
    assert.strictEqual(status, 401)
    assert.strictEqual(
      body["message"],
      "/_fake/reset needs the header Authorization: ApiKey <key of an environment of this fake>"
    )
  })

  it("lists the actions in response to an unknown path", async () => {
    await using scene = await start()
    const { body, status } = await scene.call("POST", "/_fake/fault")
    assert.strictEqual(status, 404)
    assert.include(String(body["message"]), "POST /_fake/faults")
    assert.strictEqual((await scene.call("GET", "/_faker")).status, 404)
  })

  it("rejects moving a clock out of range, and leaves the clock unchanged", async () => {
    await using scene = await start()
    const made = await scene.call("POST", "/_fake/environments", { clock: "2026-05-01T08:00:00Z" })
    const key = String(made.body["apiKey"])
    const move = (advanceMs: number) => scene.call("POST", "/_fake/clock", { advanceMs }, key)
    const message = "clock: 1e+300 milliseconds since 1970 is outside of the years 1 to 9999"
    assert.deepStrictEqual(await move(1e300), { status: 400, body: { message } })
    assert.deepStrictEqual(await move(1_000), { status: 200, body: { now: "2026-05-01T08:00:01.000Z" } })
  })

  it("reads bodies that the API itself would reject, and reports one that is too large", async () => {
    const fake = createFake({ data: "empty", switches: { "request.bodyLimit": "100kB" } })
    await using server = await listen(fake)
    const seed = async (subscribers: ReadonlyArray<object>) => {
      const response = await fetch(`${server.url}/_fake/seed`, {
        method: "POST",
        headers: { authorization: `ApiKey ${fake.apiKey}` },
        body: JSON.stringify({ subscribers })
      })
      return { status: response.status, text: await response.text() }
    }
    const people = Array.from({ length: 20_000 }, (_, number) => ({
      subscriberId: `person-${number}`,
      email: `person-${number}@example.test`
    }))
    assert.strictEqual((await seed(people)).status, 201)
    assert.strictEqual(fake.state().subscribers.length, 20_000)
    assert.deepStrictEqual(await seed([{ subscriberId: "x".repeat(32_000_000) }]), {
      status: 413,
      text: JSON.stringify({ message: "The body has more than 32000000 bytes; send it in parts" })
    })
  })

  it("does not respond to web pages, by whatever host name they reach loopback", async () => {
    await using scene = await start()
    const url = `${scene.server.url}/_fake`
    assert.strictEqual(await askWith(url, {}), 200)
    assert.strictEqual(await askWith(url, { host: `localhost:${scene.server.port}` }), 200)
    assert.strictEqual(await askWith(url, { host: `LOCALHOST:${scene.server.port}` }), 200)
    const own = `127.0.0.1:${scene.server.port}`
    assert.strictEqual(await askWith(url, { host: own, origin: `http://${own}` }), 200)
    assert.strictEqual(await askWith(url, { host: "page.test", origin: "http://page.test" }), 403)
    assert.strictEqual(await askWith(url, { origin: "https://page.test" }), 403)
    assert.strictEqual(await askWith(url, { host: "page.test" }), 403)
  })
  it.each([
    ["0.0.0.0", "page.example", true],
    ["0.0.0.0", "localhost", false],
    ["0.0.0.0", "192.168.1.7", false],
    ["0.0.0.0", "[fe80::1]", false],
    ["0.0.0.0", "fake", false],
    ["0.0.0.0", "host.docker.internal", false],
    ["127.0.0.1", "fake", true]
  ])("on %s, rejects requests to the host name %s: %s", (host, name, isRejected) => {
    const header = (field: string) => (field === "host" ? `${name}:41666` : undefined)
    assert.strictEqual(isFromPage(header, { host, allowOrigin: undefined }), isRejected)
  })

  it("checks expectations, waits and shows the timeline", async () => {
    await using scene = await start()
    const key = await created(scene, { data: "empty" })
    const call = (method: string, path: string, body?: unknown) => scene.call(method, `/_fake/${path}`, body, key)
    const list = () => fetch(`${scene.server.url}/v1/notifications`, { headers: { authorization: `ApiKey ${key}` } })
    const waiting = call("POST", "wait", { requests: 2, target: { operation: "events.list" }, timeoutMs: 30_000 })
    await list()
    await list()
    assert.deepStrictEqual((await waiting).body, { met: true })
    const late = (await call("POST", "wait", { outcome: "failure", timeoutMs: 1 })).body as object
    assert.deepInclude(late, { met: false, issue: "the condition was not met within 1 ms" })
    const expectations = [
      { name: "neverRequested", target: { operation: "messages.markAs" } },
      { name: "appliedOnce" },
      { name: "usedOneKey" },
      { name: "received", request: { operation: "events.list", query: { limit: 5 } } },
      { name: "received", request: { operation: "events.list" }, count: 2 }
    ]
    const checked = (await call("POST", "expect", { expectations })).body as unknown as {
      readonly met: boolean
      readonly issues: ReadonlyArray<{ readonly name: string; readonly issue: string }>
    }
    assert.isFalse(checked.met)
    assert.deepStrictEqual(
      checked.issues.map(({ issue, name }) => [name, issue]),
      [
        ["appliedOnce", "any operation was requested 2 times and applied 0 times, expected to be applied once"],
        ["usedOneKey", "no request for any operation was retried, so there is nothing to check"],
        [
          "received",
          'events.list was never received with this content; request 1 is the nearest:\n  query.limit: expected "5", received nothing'
        ]
      ]
    )
    const { timeline } = (await call("GET", "timeline")).body as { readonly timeline?: string }
    assert.include(timeline ?? "", "#2 events.list, attempt 1")
    assert.strictEqual((await call("POST", "expect", { expectations: [{ name: "applied" }] })).status, 400)
  })

  it("adds past events, and reads records, switches, clock and environments", async () => {
    await using scene = await start()
    const key = await created(scene, { data: "empty", clock: "2026-05-01T08:00:00Z", preset: "observed" })
    const call = (method: string, path: string, body?: unknown) => scene.call(method, `/_fake/${path}`, body, key)
    const records = {
      workflows: [{ identifier: "welcome", severity: "high", tags: ["a"], steps: [{ type: "in_app" }] }],
      messages: [{ subscriberId: "ana", channel: "email", cta: {}, createdAt: "2026-04-01T08:00:00Z" }],
      events: [{ subscriberId: "ana", workflow: "welcome", createdAt: "2026-03-01T08:00:00Z", severity: "low" }]
    }
    assert.strictEqual((await call("POST", "seed", records)).status, 201)
    const state = (await call("GET", "state")).body as unknown as {
      readonly messages: ReadonlyArray<object>
      readonly events: ReadonlyArray<object>
    }
    assert.deepInclude(state.messages[0], { channel: "email", createdAt: Date.parse("2026-04-01T08:00:00Z") })
    assert.deepInclude(state.events[0], { severity: "low", createdAt: Date.parse("2026-03-01T08:00:00Z") })
    assert.deepStrictEqual((await call("GET", "clock")).body, { now: "2026-05-01T08:00:00.000Z", isManual: true })
    assert.deepInclude((await call("GET", "switches")).body as object, { envelope: "data" })
    const environments = (await call("GET", "environments")).body as unknown as ReadonlyArray<object>
    assert.deepInclude(environments.at(-1), { apiKey: key, requests: 0, faults: 0 })
    await call("POST", "faults", { form: { _tag: "Refuse" } })
    assert.deepStrictEqual((await call("DELETE", "faults/1")).body, { fired: 0 })
    assert.deepStrictEqual(await call("DELETE", "faults/1"), {
      status: 404,
      body: { message: "faults: there is no armed fault 1" }
    })
    const wrong = (await call("POST", "seed", { events: [{ subscriberId: "a", createdAt: "then" }] })).body
    assert.deepInclude(wrong as object, {
      message: 'seed.events.0.createdAt: must be an ISO 8601 time, such as 2026-05-01T08:00:00Z, not "then"'
    })
  })

  it("changes switches and the rate limit of a live environment, until it is reset", async () => {
    await using scene = await start()
    const list = () => scene.call("GET", "/v1/notifications?limit=99")
    assert.strictEqual((await list()).status, 400)
    const changed = await scene.call("POST", "/_fake/switches", { "list.badLimit": "clamped", envelope: "data" })
    assert.deepInclude(changed.body, { "list.badLimit": "clamped", envelope: "data" })
    assert.strictEqual((await list()).status, 200)
    const wrong = await scene.call("POST", "/_fake/switches", { envelope: "bare", "list.badLimit": "maybe" })
    assert.strictEqual(wrong.status, 400)
    assert.include(String(wrong.body["message"]), "switches.list.badLimit: must be one of ")
    assert.strictEqual(scene.fake.switches.envelope, "data")

    await scene.call("POST", "/_fake/rate-limit", { requests: 1, windowMs: 3_600_000 })
    assert.strictEqual((await list()).status, 200)
    assert.strictEqual((await list()).status, 429)
    await scene.call("POST", "/_fake/rate-limit", { requests: 1, windowMs: 3_600_000 })
    assert.strictEqual((await list()).status, 200)
    await scene.call("DELETE", "/_fake/rate-limit")
    assert.strictEqual((await list()).status, 200)
    await scene.call("POST", "/_fake/rate-limit", { configuration: { requests: 1 } })
    const write = () => scene.call("PATCH", "/v1/subscribers/ana/credentials", {})
    assert.notStrictEqual((await write()).status, 429)
    assert.strictEqual((await write()).status, 429)
    assert.strictEqual((await list()).status, 200)
    assert.deepStrictEqual(await scene.call("POST", "/_fake/rate-limit", { requests: 0 }), {
      status: 400,
      body: { message: "rateLimit.requests: must be an integer, 1 or more, not 0" }
    })
    await scene.call("POST", "/_fake/reset")
    assert.strictEqual((await list()).status, 400)
  })

  it("changes and removes records, as an administrator would", async () => {
    await using scene = await start()
    const { call, fake } = scene
    fake.addSubscriber({ subscriberId: "acme:ops/7", email: "ops@example.test" })
    const { id } = fake.addIntegration({ providerId: "fcm", identifier: "push" })
    const workflow = fake.addWorkflow({ identifier: "welcome", steps: [{ type: "in_app", content: "Hello" }] })
    const message = fake.addMessage({ subscriberId: "acme:ops/7" })
    fake.trigger({ workflow: "welcome", to: "acme:ops/7" })
    const upsert = () =>
      call("PATCH", "/v1/subscribers/acme%3Aops%2F7/credentials", { providerId: "fcm", credentials: {} })

    assert.deepInclude((await call("PATCH", "/_fake/integrations/push", { active: false })).body, { id, active: false })
    assert.strictEqual((await upsert()).status, 400)
    await call("PATCH", `/_fake/integrations/${id}`, { active: true })
    assert.strictEqual((await upsert()).status, 200)
    assert.deepInclude((await call("PATCH", "/_fake/subscribers/acme%3Aops%2F7", { email: null })).body, {
      email: null
    })
    const renamed = await call("PATCH", "/_fake/workflows/welcome", { identifier: "hello", tags: ["new"] })
    assert.deepInclude(renamed.body, { id: workflow.id, identifier: "hello", steps: workflow.steps })
    assert.deepInclude((await call("PATCH", `/_fake/messages/${message.id}`, { seen: true })).body, { seen: true })

    for (const path of [
      "messages/" + message.id,
      "workflows/hello",
      "integrations/push",
      "subscribers/acme%3Aops%2F7"
    ]) {
      assert.deepStrictEqual(await call("DELETE", `/_fake/${path}`), { status: 200, body: {} })
      assert.strictEqual((await call("DELETE", `/_fake/${path}`)).status, 404)
    }
    assert.strictEqual((await upsert()).status, 404)
    assert.lengthOf((await call("GET", "/v1/notifications")).body["data"] as ReadonlyArray<unknown>, 1)
    assert.deepInclude((await call("PATCH", "/_fake/workflows/none", {})).body, {
      message: 'workflows: there is no "none"'
    })
    const { identifier } = fake.addIntegration({ providerId: "expo" })
    assert.deepInclude((await call("PATCH", "/_fake/integrations/expo", { active: false })).body, {
      message: `integrations: there is no "expo"; did you mean ${identifier}?`
    })
    fake.addWorkflow({ identifier: "welcome", steps: [] })
    assert.deepInclude((await call("PATCH", "/_fake/workflows/welcome", { activ: true })).body, {
      message:
        "workflows.activ: unknown option; did you mean active? Expected one of: identifier, name, description, active, critical, tags, severity, origin, variables, createdAt, steps"
    })
    assert.strictEqual((await call("DELETE", "/_fake/workflows/%E0%A4%A")).status, 400)
  })

  it("deletes environments, but not the first one", async () => {
    await using scene = await start()
    const key = await created(scene, { data: "empty" })
    const next = await created(scene, { data: "empty" })
    assert.strictEqual((await scene.call("DELETE", "/_fake/environments", undefined, key)).status, 200)
    assert.strictEqual((await scene.call("GET", "/v1/notifications", undefined, key)).status, 401)
    assert.strictEqual((await scene.call("GET", "/v1/notifications", undefined, next)).status, 200)
    assert.strictEqual((await scene.call("DELETE", "/_fake/environments")).status, 400)
    // Numbers, keys and ids of deleted environments are not used again.
    const ids = scene.fake.environments().map(({ addSubscriber }) => addSubscriber({ subscriberId: "ana" }).id)
    const made = await scene.call("POST", "/_fake/environments", { data: "empty" })
    assert.strictEqual(made.body["number"], 4)
    const last = scene.fake.environments().at(-1)
    assert.notInclude(ids, last?.addSubscriber({ subscriberId: "ana" }).id)
  })

  it("restores a snapshot in another environment", async () => {
    await using scene = await start()
    const clock = "2026-05-01T08:00:00Z"
    const key = await created(scene, { data: "demo", clock, preset: "observed", rateLimit: { requests: 1_000 } })
    const other = await created(scene, { data: "empty", clock: "2026-04-01T08:00:00Z" })
    const snapshot = await scene.call("GET", "/_fake/snapshot", undefined, key)
    assert.deepStrictEqual((await scene.call("POST", "/_fake/restore", snapshot.body, other)).status, 200)
    const state = (apiKey: string) => scene.call("GET", "/_fake/state", undefined, apiKey)
    assert.deepStrictEqual(await state(other), await state(key))
    const page = (apiKey: string) => scene.call("GET", "/v1/notifications", undefined, apiKey)
    assert.deepStrictEqual((await page(other)).body["data"], (await page(key)).body["data"])
    assert.deepStrictEqual(await scene.call("POST", "/_fake/restore", { version: 2 }, other), {
      status: 400,
      body: { message: "snapshot.version: must be 1, not 2" }
    })
  })

  it("stops and restarts the API", async () => {
    await using scene = await start()
    const { url } = (await scene.call("POST", "/_fake/down")).body
    const refused: unknown = await fetch(scene.server.url).catch((error: unknown) => error)
    assert.deepInclude((refused as { readonly cause: unknown }).cause, { code: "ECONNREFUSED" })
    const post = (path: string) => fetch(`${String(url)}${path}`, { method: "POST" })
    assert.strictEqual((await fetch(`${String(url)}/v1/notifications`)).status, 503)
    assert.deepStrictEqual(await (await post("/_fake/down")).json(), { url })
    assert.strictEqual((await post("/_fake/up")).status, 200)
    assert.strictEqual((await scene.call("GET", "/v1/notifications")).status, 200)
    assert.instanceOf(await post("/_fake/up").catch((error: unknown) => error), TypeError)
    assert.strictEqual((await scene.call("POST", "/_fake/up")).status, 200)
  })

  it("is described by an OpenAPI document", async () => {
    await using scene = await start()
    const document = (await scene.call("GET", "/_fake/openapi.json")).body as unknown as {
      readonly openapi: string
      readonly paths: Readonly<Record<string, object>>
    }
    assert.strictEqual(document.openapi, "3.1.0")
    const ofParts = Object.values(document).flatMap((part): ReadonlyArray<unknown> =>
      typeof part === "object" ? Object.entries(part) : [part]
    )
    const lines = ofParts.map((part) => JSON.stringify(part))
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("./document.txt")
    assert.sameMembers(
      Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
      ),
      [...controlActions.map(({ method, path }) => `${method} ${path}`), "GET /_fake/events"]
    )
    const { schemas } = (document as unknown as { readonly components: { readonly schemas: object } }).components
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/gu)].map(([, path]) => path)
    assert.isNotEmpty(references)
    for (const path of references) {
      assert.include(Object.keys(schemas), path?.replace("#/components/schemas/", ""), path)
    }
    const withoutBody = /\/(?:clear|reset|delete|down|up)$/u
    const bodies = controlActions.filter(({ method, path }) => method === "POST" && !withoutBody.test(path))
    assert.isTrue(bodies.every(({ body }) => body !== undefined))
  })

  it("returns what its schemas describe, for every action", async () => {
    await using scene = await start()
    const actions = controlActions.map(({ method, path }) => `${method} ${path}`)
    assert.sameMembers(Object.keys(controlResults), actions)
    for (const { body, method, path } of controlActions) {
      if (body === undefined && !/environments|down|source/u.test(path)) await scene.call(method, path)
    }
    scene.fake.addAll({
      subscribers: [{ subscriberId: "ana" }],
      integrations: [{ providerId: "fcm", identifier: "push" }],
      workflows: [{ identifier: "welcome", steps: [] }],
      messages: [{ subscriberId: "ana", id: "507f1f77bcf86cd799439011" }]
    })
    for (const path of [
      "subscribers/ana",
      "integrations/push",
      "workflows/welcome",
      "messages/507f1f77bcf86cd799439011"
    ]) {
      await scene.call("PATCH", `/_fake/${path}`, {})
      await scene.call("DELETE", `/_fake/${path}`)
    }
    await scene.call("GET", "/v1/notifications")
    const { source } = (await scene.call("GET", "/_fake/test-source?request=1&language=curl")).body
    assert.include(source, `FAKE_URL:-${scene.server.url}}`)
    await scene.call("POST", "/_fake/faults", { form: { _tag: "NoResponse", failure: "reset" } })
    await scene.call("GET", "/_fake/faults")
    await scene.call("GET", "/_fake/switches/questions")
    await scene.call("DELETE", "/_fake/faults/1")
    await scene.call("GET", "/v1/notifications")
    await scene.call("GET", "/_fake/stored?request=1")
    await scene.call("POST", "/_fake/wait", { requests: 2, timeoutMs: 1 })
    await scene.call("POST", "/_fake/expect", { expectations: [{ name: "neverCalled" }] })
    await scene.call("POST", "/_fake/down")
    assert.deepStrictEqual(
      actions.filter((action) => !compared.has(action)),
      []
    )
  })
})
