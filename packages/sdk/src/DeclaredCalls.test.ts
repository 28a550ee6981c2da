import { assert, describe, it } from "vitest"
import { clientOn, fast, json, rejection } from "../test/AnsweredClient.ts"
import { CallError, ClientOptionError, defineOperation, isSignalboxError, SignalboxError } from "./index.ts"

const createTopic = defineOperation({ name: "topics.create", method: "POST", path: "/v1/topics", idempotent: true })

const listTopics = defineOperation({
  name: "topics.list",
  method: "GET",
  path: "/v1/topics",
  retry: { maxRetries: 1 },
  paginate: (_, input) => {
    const next = Number(input.query?.["page"] ?? 0) + 1
    return next < 3 ? { query: { page: next } } : undefined
  }
})

describe("client.call", () => {
  it("sends a declared operation and resolves to its response", async () => {
    const { client, sent } = clientOn(() => json({ key: "news" }, { status: 201 }))
    assert.deepStrictEqual(await client.call(createTopic, { body: { key: "news" } }), { key: "news" })
    assert.strictEqual(sent[0]?.url, "http://service.test/v1/topics")
    assert.deepStrictEqual(await sent[0]?.json(), { key: "news" })
  })
  it("rejects with a CallError that names the operation and the caller", async () => {
    const { client } = clientOn(() => json({ message: "no topic" }, { status: 404 }))
    const error = await rejection(client.call(createTopic, { body: {} }))
    assert.instanceOf(error, CallError)
    assert.deepInclude(error, { operation: "topics.create", status: 404 })
    assert.include((error as CallError).stack, "DeclaredCalls.test.ts")
    assert.isTrue(isSignalboxError(error))
    const data = structuredClone(SignalboxError.encode(error as CallError))
    assert.deepInclude(SignalboxError.from(data), { operation: "topics.create", status: 404 })
  })
  it("returns the outcome as a value, with the facts of the call", async () => {
    const { client } = clientOn(() => json({ key: "news" }, { headers: { "x-request-id": "r1" } }))
    const result = await client.call.result(createTopic, { body: { key: "news" } })
    if (!result.ok) throw result.error
    assert.deepInclude(result.call, { operation: "topics.create", requestId: "r1", status: 200 })
  })
  it("retries as its declaration says, and otherwise as the options of the call do", async () => {
    const { client, sent } = clientOn(() => new Response(null, { status: 503 }), fast)
    await client.call.result(listTopics)
    assert.lengthOf(sent, 2)
    await client.call.result(listTopics, {}, { retry: false })
    assert.lengthOf(sent, 3)
  })
  it("iterates over the pages of an operation", async () => {
    const { client } = clientOn(({ url }) => json({ page: new URL(url).searchParams.get("page") }))
    const pages: Array<unknown> = []
    for await (const page of client.call.pages(listTopics)) pages.push(page)
    assert.deepStrictEqual(pages, [{ page: null }, { page: "1" }, { page: "2" }])
  })
  it("rejects an operation that defineOperation did not make", async () => {
    const { client } = clientOn(() => json({}))
    // Callers without types can pass anything.
    const error = await rejection(client.call({ name: "topics.create", method: "POST", path: "/v1/topics" } as never))
    assert.instanceOf(error, ClientOptionError)
    assert.strictEqual((error as Error).message, "operation: needs defineOperation")
  })
})

describe("client.request", () => {
  it("sends a one-off request and resolves to its response", async () => {
    const { client, sent } = clientOn(() => json([{ key: "news" }]))
    assert.deepStrictEqual(await client.request("GET", "/v1/topics", { query: { limit: 5 } }), [{ key: "news" }])
    assert.strictEqual(sent[0]?.url, "http://service.test/v1/topics?limit=5")
  })
  it("does not retry a write that may have been applied", async () => {
    const { client, sent } = clientOn(() => new Response(null, { status: 503 }), fast)
    const result = await client.request.result("POST", "/v1/topics", { body: { key: "news" } })
    assert.lengthOf(sent, 1)
    if (result.ok) throw new Error("expected an error")
    assert.include(result.error.message, "client.request failed: 503 Service Unavailable. Not retried: a retry could")
  })
  for (const [method, path, input, message] of [
    ["GET", "/v1/topics?limit=5", {}, "path: Expected an encoded path, no query"],
    ["GET", "v1/topics", {}, "path: Expected an encoded path, no query"],
    ["get", "/v1/topics", {}, "method: Expected capitals"],
    ["GET", "/v1/topics", { body: {} }, "body: Expected none for a GET"]
  ] as const) {
    it(`rejects ${method} ${path} with ${JSON.stringify(input)}, and sends nothing`, async () => {
      const { client, sent } = clientOn(() => json({}))
      // Callers without types can pass anything.
      const result = await client.request.result(method as "GET", path as "/", input as {})
      assert.lengthOf(sent, 0)
      if (result.ok) throw new Error("expected an error")
      assert.strictEqual(result.error.reason._tag, "InvalidRequest")
      assert.include(result.error.message, message)
      assert.notInclude(result.error.message, "\n")
    })
  }
})
