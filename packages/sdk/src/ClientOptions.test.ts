import { assert, describe, it } from "@effect/vitest"
import { createFake } from "@signalbox/test-harness"
import { inspect } from "node:util"
import { clientOn, emptyPage, fast, json, rejection } from "../test/AnsweredClient.ts"
import {
  type BulkOptions,
  type CallOptions,
  ClientOptionError,
  type ClientOptions,
  createClient,
  createClientFromEnv
} from "./index.ts"

describe("options", () => {
  const wrong: ReadonlyArray<readonly [string, unknown]> = [
    ["apiKey", { apiKey: 7 }],
    ["apiKey", { apiKey: "" }],
    ["baseUrl", { baseUrl: "nowhere" }],
    ["baseUrl", { baseUrl: Symbol("nowhere") }],
    ["baseUrl", { baseUrl: null }],
    ["toString", { toString: 7 }],
    ["baseURL", { baseURL: "http://service.test" }],
    ["vendor", { vendor: "two words" }],
    ["vendor", { vendor: Symbol("acme") }],
    ["fetch", { fetch: "fetch" }],
    ["headers", { headers: { authorization: "mine" } }],
    ["headers", { headers: { "x-tenant": "two\nlines" } }],
    ["headers", { headers: { "x-tenant": "日本" } }],
    ["headers", { headers: new Headers({ "x-tenant": "7" }) }],
    ["headers", { headers: new Map([["x-tenant", "7"]]) }],
    ["headers", { headers: [["x-tenant", "7"]] }],
    ["headers.x-tenant", { headers: { "x-tenant": 7 } }],
    ["arrayEncoding", { arrayEncoding: "commas" }],
    ["retry", { retry: true }],
    ["retry.maxRetries", { retry: { maxRetries: -1 } }],
    ["retry.retries", { retry: { retries: 3 } }],
    ["retry.baseDelayMs", { retry: { baseDelayMs: Number.NaN } }],
    ["timeouts", { timeouts: new Map() }],
    ["timeouts.attemptMs", { timeouts: { attemptMs: 0 } }],
    ["timeouts.callMs", { timeouts: { callMs: "10 s" } }],
    ["idempotency", { idempotency: "always" }],
    ["idempotency.derived.scope", { idempotency: { derived: { scope: "" } } }],
    ["idempotency.derived.generation", { idempotency: { derived: { scope: "job", generation: 1.5 } } }],
    ["response", { response: "lax" }],
    ["throttle", { throttle: 1 }],
    ["onDrift", { onDrift: {} }],
    ["debug", { debug: true }],
    ["tracer", { tracer: {} }],
    ["traceHeaders", { traceHeaders: "yes" }],
    ["traceHeaders", { traceHeaders: true }],
    ["meter", { meter: {} }],
    ["maxConcurrency", { maxConcurrency: 0 }],
    ["maxResponseBytes", { maxResponseBytes: 1.5 }]
  ]
  for (const [option, options] of wrong) {
    it(`names ${option} in ${inspect(options)}`, () => {
      const make = () =>
        createClient({ apiKey: "key", baseUrl: "http://service.test", ...(options as Partial<ClientOptions>) })
      const error = ((): unknown => {
        try {
          return make()
        } catch (reason) {
          return reason
        }
      })()
      assert.instanceOf(error, ClientOptionError)
      assert.strictEqual(error.option, option)
      assert.isTrue(error.message.startsWith(`${option}: `))
      assert.notInclude(error.message, "\n")
    })
  }

  const wrongOfCall: ReadonlyArray<readonly [string, unknown]> = [
    ["options", 7],
    ["options", null],
    ["signal", { signal: {} }],
    // A signal that a listener could not be taken from would leave the call hanging.
    ["signal", { signal: { aborted: false, addEventListener: () => {} } }],
    ["apiKey", { apiKey: "key" }],
    ["idempotencyKey", { idempotencyKey: 7 }]
  ]
  for (const [option, options] of wrongOfCall) {
    it(`of a call name ${option} in ${inspect(options)}, and nothing is sent`, async () => {
      const { client, sent } = clientOn(() => json(emptyPage))
      const given = options as CallOptions
      const mark = { messageId: "m1", markAs: "read" } as const
      const calls: ReadonlyArray<() => PromiseLike<unknown>> = [
        () => client.events.list({}, given),
        () => client.events.list.result({}, given),
        () => client.events.list({}, given)[Symbol.asyncIterator]().next(),
        () => client.messages.markAs("user-7", mark, given),
        () => client.messages.markAs.result("user-7", mark, given)
      ]
      for (const call of calls) {
        const error = await rejection(Promise.resolve().then(call))
        assert.instanceOf(error, ClientOptionError)
        assert.strictEqual(error.option, option)
      }
      assert.lengthOf(sent, 0)
      await client.close()
    })
  }

  const wrongOfMany: ReadonlyArray<readonly [string, unknown]> = [
    ["options", 7],
    ["options", null],
    ["concurrency", { concurrency: 101 }],
    ["order", { order: "random" }],
    // One key for many calls: all but the first would be refused.
    ["idempotencyKey", { idempotencyKey: "mine" }]
  ]
  for (const [option, options] of wrongOfMany) {
    it(`of many calls name ${option} in ${inspect(options)}, and nothing is sent`, async () => {
      const { client, sent } = clientOn(() => json([]))
      const given = options as BulkOptions
      const calls: ReadonlyArray<() => PromiseLike<unknown>> = [
        () => client.credentials.upsertMany([], given)[Symbol.asyncIterator]().next(),
        () => client.messages.markManyAs("user-7", ["m1"], "read", given),
        () => client.messages.markManyAs.result("user-7", ["m1"], "read", given)
      ]
      for (const call of calls) {
        const error = await rejection(Promise.resolve().then(call))
        assert.instanceOf(error, ClientOptionError)
        assert.strictEqual(error.option, option)
      }
      assert.lengthOf(sent, 0)
      await client.close()
    })
  }

  it("of a page iteration name an unknown option", async () => {
    const { client, sent } = clientOn(() => json(emptyPage))
    const misspelt: object = { curser: "c" }
    assert.throws(
      () => client.events.list().pages(misspelt),
      ClientOptionError,
      "curser: unknown option; expected one of"
    )
    assert.lengthOf(sent, 0)
    await client.close()
  })

  it("are overridden by those of a call, field by field", async () => {
    const { client, sent } = clientOn(() => new Response(null, { status: 503 }), fast)
    await rejection(client.events.list({}, { retry: false }))
    assert.lengthOf(sent, 1)
    await rejection(client.events.list({}, { retry: { maxRetries: 4 } }))
    assert.lengthOf(sent, 6)
    const error = await rejection(client.events.list({}, { retry: { maxRetries: -2 } }))
    assert.instanceOf(error, ClientOptionError)
    await client.close()
  })

  it("that turn retries off still do if a call sets another retry option", async () => {
    const { client, sent } = clientOn(() => new Response(null, { status: 503 }), { retry: false })
    for (const retry of [{}, { baseDelayMs: 1 }, { honourRetryAfter: false }])
      await rejection(client.events.list({}, { retry }))
    assert.lengthOf(sent, 3)
    await rejection(client.events.list({}, { retry: { maxRetries: 1, baseDelayMs: 0 } }))
    assert.lengthOf(sent, 5)
    await client.close()
  })

  it("leave out a header without a value", async () => {
    const headers: object = { "x-tenant": undefined, "x-team": "é" }
    const { client, sent } = clientOn(() => json(emptyPage), { headers: headers as Record<string, string> })
    await client.events.list()
    assert.isFalse(sent[0]?.headers.has("x-tenant"))
    assert.strictEqual(sent[0]?.headers.get("x-team"), "é")
    await client.close()
  })

  it("limit the concurrent requests of a client", async () => {
    let inProgress = 0
    let most = 0
    const { client } = clientOn(
      async () => {
        most = Math.max(most, ++inProgress)
        await new Promise((resolve) => setImmediate(resolve))
        inProgress--
        return json(emptyPage)
      },
      { maxConcurrency: 2 }
    )
    await Promise.all(Array.from({ length: 6 }, () => client.events.list.result()))
    assert.strictEqual(most, 2)
    await client.close()
  })

  it("limit the size of a response, for a client and for a call", async () => {
    const { client } = clientOn(() => json({ ...emptyPage, filler: "x".repeat(1000) }), { maxResponseBytes: 500 })
    const refused = await client.events.list.result()
    assert.include(refused.ok ? "" : refused.error.message, "Expected a body of at most 500 bytes")
    assert.isTrue((await client.events.list.result({}, { maxResponseBytes: 5000 })).ok)
    await client.close()
  })

  it("can come from the environment; errors name the environment variable", () => {
    const fake = createFake()
    const before = { ...process.env }
    const set = (apiKey: string, baseUrl: string) =>
      Object.assign(process.env, { SIGNALBOX_API_KEY: apiKey, SIGNALBOX_BASE_URL: baseUrl })
    try {
      set("", "")
      assert.throws(() => createClientFromEnv({ baseUrl: fake.baseUrl }), "SIGNALBOX_API_KEY: must be set")
      set(fake.apiKey, "")
      assert.throws(() => createClientFromEnv(), "SIGNALBOX_BASE_URL: must be set")
      set(fake.apiKey, "nowhere")
      assert.throws(() => createClientFromEnv(), "SIGNALBOX_BASE_URL: must be an absolute http or https URL")
      assert.throws(() => createClientFromEnv({ baseUrl: "nowhere" }), "baseUrl: must be an absolute")
      set("two words", fake.baseUrl)
      assert.throws(() => createClientFromEnv(), "SIGNALBOX_API_KEY: must be one line")
      const misspelt: object = { apiKy: "key" }
      assert.throws(() => createClientFromEnv(misspelt), "apiKy: unknown option")
      set(fake.apiKey, fake.baseUrl)
      assert.isFunction(createClientFromEnv().events.list)
    } finally {
      process.env = before
    }
  })

  it("are still required where there is no environment", () => {
    const { process } = globalThis
    try {
      Reflect.deleteProperty(globalThis, "process")
      assert.throws(() => createClientFromEnv(), "SIGNALBOX_API_KEY: must be set")
      assert.isFunction(createClientFromEnv({ apiKey: "key", baseUrl: "http://service.test" }).events.list)
    } finally {
      globalThis.process = process
    }
  })
})
