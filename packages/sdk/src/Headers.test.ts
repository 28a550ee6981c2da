import { assert, describe, it } from "@effect/vitest"
import { clientOn, emptyPage, fast, json, rejection, upsertion } from "../test/AnsweredClient.ts"
import { type ClientOptions, type HeadersOption, isSignalboxError } from "./index.ts"

const accepted = () => json(emptyPage)

/** The tenant that a call sends. */
const tenantOf = async (ofClient: HeadersOption | undefined, ofCall?: HeadersOption) => {
  const { client, sent } = clientOn(accepted, { headers: ofClient })
  await client.events.list({}, { headers: ofCall })
  return sent[0]?.headers.get("x-tenant")
}

describe("headers", () => {
  it("of a call are added to those of the client, and replace the ones with the same name", async () => {
    const { client, sent } = clientOn(accepted, { headers: { "X-Tenant": "north", "x-zone": "a" } })
    await client.events.list({}, { headers: { "x-tenant": "south" } })
    await client.events.list()
    assert.strictEqual(sent[0]?.headers.get("x-tenant"), "south")
    assert.strictEqual(sent[0]?.headers.get("x-zone"), "a")
    assert.strictEqual(sent[1]?.headers.get("x-tenant"), "north")
  })
  it("can be a function of the client, of a call, or of both", async () => {
    assert.strictEqual(await tenantOf(() => ({ "x-tenant": "north" })), "north")
    assert.strictEqual(await tenantOf(async () => ({ "x-tenant": "north" })), "north")
    assert.strictEqual(await tenantOf({ "x-tenant": "north" }, async () => ({ "x-tenant": "south" })), "south")
    assert.strictEqual(await tenantOf(async () => ({ "x-tenant": "north" }), { "x-tenant": "south" }), "south")
    assert.strictEqual(await tenantOf(undefined, () => ({ "x-tenant": "south" })), "south")
  })
  it("are read once per call, so that a rotating token is the same in every attempt", async () => {
    let count = 0
    const { client, sent } = clientOn((_, number) => (number === 1 ? json({}, { status: 503 }) : accepted()), {
      ...fast,
      headers: () => ({ "x-gateway-token": `rotating-token-${++count}` })
    })
    await client.events.list()
    await client.events.list()
    const tokens = sent.map(({ headers }) => headers.get("x-gateway-token"))
    assert.deepStrictEqual(tokens, ["rotating-token-1", "rotating-token-1", "rotating-token-2"])
  })
  it("of every page of a walk are read anew", async () => {
    let count = 0
    const { client, sent } = clientOn((_, number) => json({ ...emptyPage, hasMore: number === 1 }), {
      headers: () => ({ "x-tenant": String(++count) })
    })
    for await (const _ of client.events.list().pages()) void _
    assert.deepStrictEqual(
      sent.map(({ headers }) => headers.get("x-tenant")),
      ["1", "2"]
    )
  })

  const failure = new Error("vault down, token abc123")
  const wrong: ReadonlyArray<readonly [string, unknown, string]> = [
    [
      "throws",
      () => {
        throw failure
      },
      "headers: its function failed; see the cause. "
    ],
    ["rejects", () => Promise.reject(failure), "headers: its function failed; see the cause. "],
    ["returns a string", () => "x-tenant: 7", "headers: the function must return an object. "],
    ["returns nothing", () => undefined, "headers: the function must return an object. "],
    ["returns a number", () => ({ "x-tenant": 7 }), 'headers: the value of "x-tenant" must be one line of '],
    ["returns a header of the client's own", () => ({ Authorization: "x" }), 'headers: "Authorization" is set by the '],
    ["returns two lines", () => ({ "x-tenant": "a\nb" }), 'headers: the value of "x-tenant" must be one line of ']
  ]
  for (const [how, headers, expected] of wrong) {
    it(`from a function that ${how} fail the call with InvalidRequest, and nothing is sent`, async () => {
      const lines: Array<string> = []
      const { client, sent } = clientOn(accepted, { debug: (line) => lines.push(line) })
      // Callers without types can pass a function that returns anything.
      const options = { headers: headers as HeadersOption }
      const error = await rejection(client.credentials.upsert("user-7", upsertion, options))
      assert(isSignalboxError(error))
      assert.strictEqual(error.reason._tag, "InvalidRequest")
      assert.include(error.message, expected)
      assert.isFalse(error.mayHaveBeenApplied)
      assert.lengthOf(sent, 0)
      assert.strictEqual(error.cause, expected.includes("see the cause") ? failure : undefined)
      assert.notInclude(JSON.stringify([error, error.stack, lines]), "abc123")
    })
  }
  it("that never arrive end with the call's deadline", async () => {
    const { client, sent } = clientOn(accepted, { timeouts: { callMs: 20 }, headers: () => new Promise(() => {}) })
    const error = await rejection(client.events.list())
    assert.include(String(error), "no headers within 20 ms")
    assert.lengthOf(sent, 0)
  })
  it("of a call are secrets where they look like one", async () => {
    const { client } = clientOn(() => json({ message: "not gateway-token-4711" }, { status: 403 }))
    const error = await rejection(client.events.list({}, { headers: { "x-gateway": "gateway-token-4711" } }))
    assert.notInclude(JSON.stringify(error) + String(error), "gateway-token-4711")
  })
})

describe("the identity of the client", () => {
  const sentWith = async (options: Partial<ClientOptions>) => {
    const { client, sent } = clientOn((_, number) => (number < 3 ? json({}, { status: 503 }) : accepted()), {
      ...fast,
      ...options
    })
    await client.events.list()
    return sent.map(({ headers }) => [headers.get("user-agent"), headers.get("x-signalbox-retry-count")])
  }
  const agent = `signalbox-sdk/source (node ${process.versions.node})`

  it("is its version and runtime, and the number of retries", async () => {
    assert.deepStrictEqual(await sentWith({}), [
      [agent, "0"],
      [agent, "1"],
      [agent, "2"]
    ])
  })
  it("can be switched off, and replaced", async () => {
    const none = [null, null]
    assert.deepStrictEqual(await sentWith({ identify: false }), [none, none, none])
    assert.deepStrictEqual(await sentWith({ headers: { "User-Agent": "shop/7" } }), [
      ["shop/7", "0"],
      ["shop/7", "1"],
      ["shop/7", "2"]
    ])
  })
  it("is not sent by a browser, which refuses requests with headers that the service does not allow", async () => {
    const { navigator: of, process: node } = globalThis
    Object.defineProperty(globalThis, "process", { value: undefined, configurable: true })
    Object.defineProperty(globalThis, "navigator", { value: { userAgent: "Mozilla/5.0 (X11)" }, configurable: true })
    try {
      const { client, sent } = clientOn(accepted)
      await client.events.list()
      assert.isNull(sent[0]?.headers.get("user-agent"))
      assert.isNull(sent[0]?.headers.get("x-signalbox-retry-count"))
    } finally {
      Object.defineProperty(globalThis, "process", { value: node, configurable: true, writable: true })
      Object.defineProperty(globalThis, "navigator", { value: of, configurable: true })
    }
  })
})

describe("a derived client", () => {
  it("has its own defaults, and those of its origin elsewhere", async () => {
    const { client, sent } = clientOn(() => json({}, { status: 503 }), {
      ...fast,
      headers: { "x-tenant": "north", "x-zone": "a" }
    })
    const derived = client.with({ retry: { maxRetries: 1 }, headers: { "x-tenant": "south" } })
    await rejection(derived.events.list())
    assert.lengthOf(sent, 2)
    assert.strictEqual(sent[0]?.headers.get("x-tenant"), "south")
    assert.strictEqual(sent[0]?.headers.get("x-zone"), "a")
    await rejection(derived.with({ retry: false }).events.list())
    assert.lengthOf(sent, 3)
    assert.strictEqual(sent[2]?.headers.get("x-tenant"), "south")
    await rejection(client.events.list())
    assert.lengthOf(sent, 6)
    assert.strictEqual(sent[5]?.headers.get("x-tenant"), "north")
  })
  it("shares the rate limit and the end", async () => {
    const { client } = clientOn(() => json(emptyPage, { headers: { "ratelimit-remaining": "7" } }))
    const derived = client.with({})
    await derived.events.list()
    assert.strictEqual(client.rateLimit?.remaining, 7)
    assert.strictEqual(derived.rateLimit?.remaining, 7)
    await derived.close()
    assert.include(String(await rejection(client.events.list())), "the client was closed")
  })
  it("names an option that only a client or a call has", () => {
    const { client } = clientOn(accepted)
    // @ts-expect-error the connection cannot be changed
    assert.throws(() => client.with({ baseUrl: "" }), "baseUrl: unknown option; expected one of: retry, ")
    // @ts-expect-error a key belongs to one call
    assert.throws(() => client.with({ idempotencyKey: "mine" }), "idempotencyKey: unknown option")
  })
})
