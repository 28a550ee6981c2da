import { defineOperation } from "@signalbox/core/DeclaredOperation"
import * as Schema from "effect/Schema"
import { assert, describe, it } from "vitest"
import { createFake, expectFake, Fault, verdicts } from "../index.ts"

const standard = Schema.toStandardSchemaV1

const addMember = defineOperation({
  name: "topics.addMember",
  method: "POST",
  path: "/v1/topics/:topicKey/members",
  input: standard(
    Schema.Struct({
      path: Schema.Struct({ topicKey: Schema.String }),
      query: Schema.optionalKey(Schema.Struct({ limit: Schema.Finite, tags: Schema.Array(Schema.String) })),
      body: Schema.Struct({ id: Schema.String, secret: Schema.optionalKey(Schema.String) })
    })
  ),
  output: standard(Schema.Struct({ members: Schema.Array(Schema.String) })),
  secrets: ["body.secret"]
})

const start = () => {
  const fake = createFake({ data: "empty" })
  fake.route<Parameters<typeof input>[0], { members: ReadonlyArray<string> }, ReadonlyArray<string>>(
    addMember,
    ({ input: { body }, state = [] }) => {
      if (body.id === "taken") return { status: 409, error: "is a member" }
      const members = [...state, body.id]
      return { body: { members }, state: members }
    }
  )
  return fake
}

const input = (own: {
  readonly path: { readonly topicKey: string }
  readonly query?: { readonly limit: number; readonly tags: ReadonlyArray<string> }
  readonly body: { readonly id: string; readonly secret?: string }
}) => own

const send = async (
  fake: ReturnType<typeof start>,
  body: unknown,
  options: { key?: string; apiKey?: string; query?: string } = {}
) => {
  const response = await fake.fetch(`${fake.baseUrl}/v1/topics/news/members${options.query ?? ""}`, {
    method: "POST",
    headers: {
      authorization: `ApiKey ${options.apiKey ?? fake.apiKey}`,
      "content-type": "application/json",
      ...(options.key === undefined ? {} : { "idempotency-key": options.key })
    },
    body: JSON.stringify(body)
  })
  const json: unknown = await response.json()
  return { status: response.status, json }
}

describe("a declared operation", () => {
  it("has a state for each environment, which a reset removes", async () => {
    const fake = start()
    const other = fake.environment({ data: "empty" })
    await send(fake, { id: "a" })
    assert.deepStrictEqual(await send(fake, { id: "b" }), { status: 201, json: { members: ["a", "b"] } })
    assert.deepStrictEqual((await send(fake, { id: "c" }, { apiKey: other.apiKey })).json, { members: ["c"] })
    fake.reset()
    assert.deepStrictEqual((await send(fake, { id: "d" })).json, { members: ["d"] })
  })
  it("shares its state with the operations of its resource", async () => {
    const fake = start()
    const list = defineOperation({ name: "topics.listMembers", method: "GET", path: "/v1/topics/:topicKey/members" })
    fake.route(list, ({ state = [] }) => ({ body: { members: state } }))
    await send(fake, { id: "a" })
    const headers = { authorization: `ApiKey ${fake.apiKey}` }
    const response = await fake.fetch(`${fake.baseUrl}/v1/topics/news/members`, { headers })
    assert.deepStrictEqual(await response.json(), { members: ["a"] })
  })
  it("keeps its state in a snapshot", async () => {
    const fake = start()
    await send(fake, { id: "a" })
    const snapshot = fake.snapshot()
    await send(fake, { id: "b" })
    fake.restore(snapshot)
    assert.deepStrictEqual((await send(fake, { id: "c" })).json, { members: ["a", "c"] })
  })
  it("is applied once for two requests with one key", async () => {
    const fake = start()
    fake.setSwitches({ "idempotency.sameBody": "replay" })
    const first = await send(fake, { id: "a" }, { key: "k" })
    assert.deepStrictEqual(await send(fake, { id: "a" }, { key: "k" }), first)
    assert.deepStrictEqual((await send(fake, { id: "b" })).json, { members: ["a", "b"] })
  })
  it("rejects what its schema rejects", async () => {
    const fake = start()
    assert.strictEqual((await send(fake, { id: 7 })).status, 422)
    assert.strictEqual((await send(fake, { id: "a" }, { query: "?limit=five&tags=x" })).status, 422)
    assert.strictEqual((await send(fake, { id: "taken" })).status, 409)
  })
  it("gets numbers, switches and lists of a query as its schema has them", async () => {
    const fake = createFake({ data: "empty" })
    const query = Schema.Struct({
      limit: Schema.Finite,
      notify: Schema.Boolean,
      quiet: Schema.Boolean,
      tags: Schema.Array(Schema.String),
      note: Schema.String
    })
    const listTopics = defineOperation({
      name: "topics.list",
      method: "GET",
      path: "/v1/topics",
      input: standard(Schema.Struct({ query }))
    })
    fake.route(listTopics, ({ input }) => ({ body: input }))
    const response = await fake.fetch(`${fake.baseUrl}/v1/topics?limit=5&notify=true&quiet=false&tags=x&note=7`, {
      headers: { authorization: `ApiKey ${fake.apiKey}` }
    })
    assert.deepStrictEqual(await response.json(), {
      query: { limit: 5, notify: true, quiet: false, tags: ["x"], note: "7" }
    })
  })
  it("triggers an event once, which a rejected request does not", async () => {
    const fake = createFake({ data: "empty" })
    fake.addWorkflow({ identifier: "welcome", steps: [{ type: "in_app" }] })
    const triggerEvent = defineOperation({ name: "events.trigger", method: "POST", path: "/v1/events/trigger" })
    fake.route(triggerEvent, ({ input }) => {
      const { status, to } = input.body as { readonly status?: number; readonly to: string }
      return { ...(status && { status }), body: {}, trigger: { workflow: "welcome", to } }
    })
    fake.faults.add(Fault.latency(1, { at: "validated" }))
    for (const body of [{ to: "ana" }, { to: "bo", status: 409 }]) {
      const headers = { authorization: `ApiKey ${fake.apiKey}`, "content-type": "application/json" }
      await fake.fetch(`${fake.baseUrl}/v1/events/trigger`, { method: "POST", headers, body: JSON.stringify(body) })
    }
    assert.deepStrictEqual(
      fake.state().events.map(({ subscriberId }) => subscriberId),
      ["ana"]
    )
  })
  it("needs no body", async () => {
    const fake = createFake({ data: "empty" })
    const removeTopic = defineOperation({ name: "topics.remove", method: "DELETE", path: "/v1/topics/:topicKey" })
    fake.route(removeTopic, ({ input }) => ({ body: input }))
    const headers = { authorization: `ApiKey ${fake.apiKey}`, "idempotency-key": "k" }
    const response = await fake.fetch(`${fake.baseUrl}/v1/topics/news`, { method: "DELETE", headers })
    assert.deepStrictEqual([response.status, await response.json()], [200, { path: { topicKey: "news" } }])
  })
  it("meets faults, and has journal entries, verdicts and expectations", async () => {
    const fake = start()
    fake.faults.add(Fault.status(503, { operation: addMember, attempt: 1, at: "committed" }))
    assert.strictEqual((await send(fake, { id: "a", secret: "the-secret-of-a" })).status, 503)
    assert.strictEqual((await send(fake, { id: "a", secret: "the-secret-of-a" })).status, 201)
    const entries = fake.journal.entries()
    assert.deepStrictEqual(
      entries.map(({ appends, applied, operation }) => [operation, applied, appends]),
      [
        ["topics.addMember", true, true],
        ["topics.addMember", true, true]
      ]
    )
    assert.notInclude(JSON.stringify(entries), "the-secret-of-a")
    assert.lengthOf(verdicts(fake.journal), 1)
    expectFake(fake)
      .applied(2, addMember)
      .applied(2, { operation: addMember })
      .received({ operation: addMember, body: { id: "a" } })
    assert.throws(
      () => expectFake(fake).appliedOnce(addMember),
      "topics.addMember was requested 2 times and applied 2 times"
    )
    // @ts-expect-error a name that nothing checks when it is compiled
    expectFake(fake).applied(2, "topics.addMember")
  })
  it("is named where another route is requested", async () => {
    const fake = start()
    const response = await fake.fetch(`${fake.baseUrl}/v1/members`, {
      headers: { authorization: `ApiKey ${fake.apiKey}` }
    })
    const text = await response.text()
    assert.include(text, "Cannot GET /v1/members; add it with fake.route or POST /_fake/routes; expected one of: ")
    assert.include(text, ", POST /v1/topics/:topicKey/members")
  })
  it("is rejected where another one has its endpoint, and replaces the one with its name", () => {
    const fake = start()
    const other = defineOperation({ name: "topics.join", method: "POST", path: "/v1/topics/:key/members" })
    assert.throws(
      () => fake.route(other, () => ({ body: {} })),
      "route: topics.join has the endpoint of topics.addMember: POST /v1/topics/:key/members; serve one of them"
    )
    assert.doesNotThrow(() => fake.route(addMember, () => ({ status: 404, error: "is gone" })))
    assert.doesNotThrow(() => fake.route({ ...other, method: "DELETE" }, () => ({ body: {} })))
  })

  it("is rejected unless defineOperation made it", () => {
    assert.throws(
      () => createFake().route({} as never, () => ({ body: {} })),
      /^route: operation must be from defineOperation$/
    )
  })
})
