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
import { createClient as createNodeClient } from "./node.ts"

const thrown = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

describe("options", () => {
  const url = "must be an http:// or https:// URL without credentials, query or fragment"
  const ofCall = "retry, timeouts, idempotency, response, throttle, maxResponseBytes, onDrift, onAttempt, headers"
  const known = `${ofCall}, apiKey, baseUrl, vendor, arrayEncoding, maxFilterValues, identify, debug, maxConcurrency, tracer, traceHeaders, meter, fetch`
  const latin1 = "must be one line of Latin-1 characters"
  const wrong: ReadonlyArray<readonly [string, string, unknown]> = [
    ["options", "must be an object", undefined],
    ["options", "must be an object", null],
    ["options", "must be an object", "key"],
    ["options", "must be an object", []],
    ["apiKey", "must be a string or a function", { apiKey: 7 }],
    ["apiKey", "must be a string or a function, not undefined", { apiKey: undefined }],
    ["apiKey", "must not be empty", { apiKey: "" }],
    ["baseUrl", url, { baseUrl: "nowhere" }],
    ["baseUrl", url, { baseUrl: Symbol("nowhere") }],
    ["baseUrl", url, { baseUrl: null }],
    ["toString", `unknown option; expected one of: ${known}`, { toString: 7 }],
    ["baseURL", `unknown option; did you mean baseUrl? Expected one of: ${known}`, { baseURL: "http://service.test" }],
    ["vendor", "must be one word of letters, digits and inner dashes, such as acme", { vendor: "two words" }],
    ["vendor", "must be a string", { vendor: Symbol("acme") }],
    ["fetch", "must be a function", { fetch: "fetch" }],
    ["headers", '"authorization" is set by the client', { headers: { authorization: "mine" } }],
    ["headers", `the value of "x-tenant" ${latin1}`, { headers: { "x-tenant": "two\nlines" } }],
    ["headers", `the value of "x-tenant" ${latin1}`, { headers: { "x-tenant": "日本" } }],
    ["headers", "must be an object of strings, or a function", { headers: new Headers({ "x-tenant": "7" }) }],
    ["headers", "must be an object of strings, or a function", { headers: new Map([["x-tenant", "7"]]) }],
    ["headers", "must be an object of strings, or a function", { headers: [["x-tenant", "7"]] }],
    ["headers", "must be an object of strings, or a function", { headers: null }],
    ["headers", "must be an object of strings, or a function", { headers: "x-tenant: 7" }],
    ["headers.x-tenant", "must be a string", { headers: { "x-tenant": 7 } }],
    ["arrayEncoding", "must be one of repeat, brackets, indices, comma", { arrayEncoding: "commas" }],
    ["maxFilterValues", "must be a whole number of at least 1", { maxFilterValues: 0 }],
    ["retry", "must be false or an object", { retry: true }],
    ["retry.maxRetries", "must be a whole number of at least 0", { retry: { maxRetries: -1 } }],
    ["retry.maxRetries", "must be a whole number of at least 0", { retry: { maxRetries: 1.5 } }],
    ["retry.maxRetries", "must be a whole number of at least 0", { retry: { maxRetries: "2" } }],
    [
      "retry.retries",
      "unknown option; did you mean maxRetries? Expected one of: maxRetries, baseDelayMs, maxDelayMs, honourRetryAfter",
      { retry: { retries: 3 } }
    ],
    ["retry.baseDelayMs", "must be milliseconds, at least 0", { retry: { baseDelayMs: Number.NaN } }],
    ["retry.maxDelayMs", "must be milliseconds, at least 0", { retry: { maxDelayMs: -1 } }],
    ["retry.honourRetryAfter", "must be true or false", { retry: { honourRetryAfter: 1 } }],
    ["timeouts", "must be an object", { timeouts: new Map() }],
    ["timeouts.attemptMs", "must be milliseconds, more than 0", { timeouts: { attemptMs: 0 } }],
    ["timeouts.callMs", "must be milliseconds, more than 0", { timeouts: { callMs: "10 s" } }],
    ["timeouts.total", "unknown option; expected one of: attemptMs, callMs", { timeouts: { total: 10 } }],
    [
      "idempotency",
      'must be "random", "off", or an object with derived or serviceHonoursKeys',
      { idempotency: "always" }
    ],
    [
      "idempotency.key",
      "unknown option; expected one of: derived, serviceHonoursKeys",
      { idempotency: { key: "mine" } }
    ],
    ["idempotency.derived", "must be an object", { idempotency: { derived: "job" } }],
    ["idempotency.derived.scope", "must be a non-empty string, not undefined", { idempotency: { derived: {} } }],
    ["idempotency.derived.scope", "must be a non-empty string", { idempotency: { derived: { scope: "" } } }],
    [
      "idempotency.derived.generation",
      "must be a whole number of at least 0",
      { idempotency: { derived: { scope: "job", generation: 1.5 } } }
    ],
    ["idempotency.serviceHonoursKeys", "must be true or false", { idempotency: { serviceHonoursKeys: "yes" } }],
    ["response", 'must be "tolerant" or "strict"', { response: "lax" }],
    ["throttle", "must be true or false", { throttle: 1 }],
    ["onDrift", "must be a function", { onDrift: {} }],
    ["onAttempt", "must be a function", { onAttempt: {} }],
    ["identify", "must be true or false", { identify: "yes" }],
    ["debug", "must be a function", { debug: true }],
    ["tracer", "must be a tracer of @opentelemetry/api", { tracer: {} }],
    ["tracer", "must be a tracer of @opentelemetry/api", { tracer: null }],
    ["traceHeaders", "must be true or false", { traceHeaders: "yes" }],
    ["traceHeaders", "needs a tracer", { traceHeaders: true }],
    ["meter", "must be a meter of @opentelemetry/api", { meter: {} }],
    ["meter", "must be a meter of @opentelemetry/api", { meter: null }],
    ["maxConcurrency", "must be a whole number of at least 1", { maxConcurrency: 0 }],
    ["maxConcurrency", "must be a whole number of at least 1", { maxConcurrency: 2.5 }],
    ["maxResponseBytes", "must be a whole number of at least 1", { maxResponseBytes: 1.5 }]
  ]
  const valid = { apiKey: "key", baseUrl: "http://service.test" }
  for (const [option, allowed, options] of wrong) {
    it(`names ${option} and what is allowed in ${inspect(options)}`, () => {
      const given = typeof options === "object" && options !== null && !Array.isArray(options)
      // JavaScript callers can pass what the types forbid.
      const all = (given ? { ...valid, ...options } : options) as ClientOptions
      for (const make of "fetch" in Object(all) ? [createClient] : [createClient, createNodeClient]) {
        const error = thrown(() => make(all))
        assert.instanceOf(error, ClientOptionError)
        const rule =
          make === createNodeClient
            ? allowed.replace("meter, fetch", "meter, dispatcher, connectMs, proxyFromEnv")
            : allowed
        assert.deepInclude(error, {
          _tag: "ClientOptionError",
          name: "ClientOptionError",
          option,
          rule,
          message: `${option}: ${rule}`
        })
      }
    })
  }

  const smallest: ReadonlyArray<Partial<ClientOptions>> = [
    { retry: false },
    { retry: { maxRetries: 0, baseDelayMs: 0, maxDelayMs: 0, honourRetryAfter: false } },
    { timeouts: { attemptMs: 0.1, callMs: Infinity } },
    { timeouts: {}, retry: {}, idempotency: {}, headers: {} },
    { idempotency: "random" },
    { idempotency: "off" },
    { idempotency: { derived: { scope: "j", generation: 0 }, serviceHonoursKeys: false } },
    { response: "tolerant", throttle: false, traceHeaders: false },
    { maxConcurrency: 1, maxResponseBytes: 1 },
    Object.fromEntries(known.split(", ").map((name) => [name, undefined]))
  ]
  for (const options of smallest) {
    it(`accepts ${inspect(options, { breakLength: Infinity })}`, async () => {
      await createClient({ ...options, ...valid }).close()
    })
  }

  const signal = "must be an AbortSignal"
  const wrongOfCall: ReadonlyArray<readonly [string, string, unknown]> = [
    ["options", "must be an object", 7],
    ["options", "must be an object", null],
    ["options", "must be an object", new AbortController().signal],
    ["signal", signal, { signal: {} }],
    ["signal", signal, { signal: null }],
    // A signal that a listener could not be taken from would leave the call hanging.
    ["signal", signal, { signal: { aborted: false, addEventListener: () => {} } }],
    ["signal", signal, { signal: { aborted: false, removeEventListener: () => {} } }],
    ["signal", signal, { signal: { addEventListener: () => {}, removeEventListener: () => {} } }],
    ["apiKey", `unknown option; expected one of: ${ofCall}, signal, idempotencyKey`, { apiKey: "key" }],
    ["idempotencyKey", "must be a string", { idempotencyKey: 7 }],
    ["retry.maxRetries", "must be a whole number of at least 0", { retry: { maxRetries: -2 } }]
  ]
  for (const [option, allowed, options] of wrongOfCall) {
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
        assert.deepInclude(error, { option, rule: allowed })
      }
      assert.lengthOf(sent, 0)
    })
  }

  const wrongOfMany: ReadonlyArray<readonly [string, string, unknown]> = [
    ["options", "must be an object", 7],
    ["options", "must be an object", null],
    ["options", "must be an object", new AbortController().signal],
    ["concurrency", "must be a whole number from 1 to 100", { concurrency: 101 }],
    ["concurrency", "must be a whole number from 1 to 100", { concurrency: 0 }],
    ["concurrency", "must be a whole number from 1 to 100", { concurrency: 1.5 }],
    ["order", 'must be "input" or "completion"', { order: "random" }],
    // One key for many calls: all but the first would be refused.
    [
      "idempotencyKey",
      `unknown option; did you mean idempotency? Expected one of: ${ofCall}, signal, concurrency, order`,
      { idempotencyKey: "mine" }
    ]
  ]
  for (const [option, allowed, options] of wrongOfMany) {
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
        assert.deepInclude(error, { option, rule: allowed })
      }
      assert.lengthOf(sent, 0)
    })
  }

  for (const option of ["dispatcher", "connectMs", "proxyFromEnv"]) {
    it(`name the client that accepts ${option}`, () => {
      const options = { apiKey: "key", baseUrl: "http://service.test", [option]: undefined }
      assert.throws(() => createClient(options), `${option}: needs createClient of @signalbox/sdk/node`)
    })
  }

  it("of many calls accept the largest concurrency and both orders", async () => {
    const { client } = clientOn(() => json([]))
    for (const order of ["input", "completion"] as const) {
      const outcomes = client.credentials.upsertMany([], { concurrency: 100, order })
      assert.deepStrictEqual(await outcomes.next(), { done: true, value: undefined })
    }
  })

  it("of a page iteration name an unknown option", async () => {
    const { client, sent } = clientOn(() => json(emptyPage))
    const misspelt: object = { curser: "c" }
    const error = thrown(() => client.events.list().pages(misspelt))
    assert.instanceOf(error, ClientOptionError)
    assert.strictEqual(error.message, "curser: unknown option; did you mean cursor? Expected one of: cursor, prefetch")
    assert.lengthOf(sent, 0)
  })

  it("are overridden by those of a call, field by field", async () => {
    const { client, sent } = clientOn(() => new Response(null, { status: 503 }), fast)
    await rejection(client.events.list({}, { retry: false }))
    assert.lengthOf(sent, 1)
    await rejection(client.events.list({}, { retry: { maxRetries: 4 } }))
    assert.lengthOf(sent, 6)
    await rejection(client.events.list({}, { retry: { maxRetries: undefined } }))
    assert.lengthOf(sent, 9)
    await rejection(client.events.list({}, { retry: undefined }))
    assert.lengthOf(sent, 12)
  })

  it("that turn retries off still do if a call sets another retry option", async () => {
    const { client, sent } = clientOn(() => new Response(null, { status: 503 }), { retry: false })
    for (const retry of [{}, { baseDelayMs: 1 }, { honourRetryAfter: false }])
      await rejection(client.events.list({}, { retry }))
    assert.lengthOf(sent, 3)
    await rejection(client.events.list({}, { retry: { maxRetries: 1, baseDelayMs: 0 } }))
    assert.lengthOf(sent, 5)
  })

  it("leave out a header without a value", async () => {
    const headers: object = { "x-tenant": undefined, "x-team": "é" }
    const { client, sent } = clientOn(() => json(emptyPage), { headers: headers as Record<string, string> })
    await client.events.list()
    assert.isFalse(sent[0]?.headers.has("x-tenant"))
    assert.strictEqual(sent[0]?.headers.get("x-team"), "é")
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
  })

  it("limit the size of a response, for a client and for a call", async () => {
    const { client } = clientOn(() => json({ ...emptyPage, filler: "x".repeat(1000) }), { maxResponseBytes: 500 })
    const refused = await client.events.list.result()
    assert.include(refused.ok ? "" : refused.error.message, "Expected a body of at most 500 bytes")
    assert.isTrue((await client.events.list.result({}, { maxResponseBytes: 5000 })).ok)
  })

  it("can come from the environment; errors name the environment variable", () => {
    const fake = createFake()
    const before = { ...process.env }
    const set = (apiKey: string, baseUrl: string) =>
      Object.assign(process.env, { SIGNALBOX_API_KEY: apiKey, SIGNALBOX_BASE_URL: baseUrl })
    try {
      set("", "")
      assert.throws(() => createClientFromEnv(), "SIGNALBOX_API_KEY and SIGNALBOX_BASE_URL: must be set")
      assert.throws(() => createClientFromEnv({ baseUrl: fake.baseUrl }), "SIGNALBOX_API_KEY: must be set")
      set(fake.apiKey, "")
      assert.throws(() => createClientFromEnv(), "SIGNALBOX_BASE_URL: must be set")
      set(fake.apiKey, "nowhere")
      assert.throws(() => createClientFromEnv(), "SIGNALBOX_BASE_URL: must be an http:")
      assert.throws(() => createClientFromEnv({ baseUrl: "nowhere" }), "baseUrl: must be an http")
      set("two words", fake.baseUrl)
      assert.throws(() => createClientFromEnv(), "SIGNALBOX_API_KEY: must be one line")
      Object.assign(process.env, { SIGNALBOX_VENDOR: "two words" })
      set(fake.apiKey, fake.baseUrl)
      assert.throws(() => createClientFromEnv(), "SIGNALBOX_VENDOR: must be one word")
      assert.throws(() => createClientFromEnv({ vendor: "no word" }), "vendor: must be one word")
      delete process.env["SIGNALBOX_VENDOR"]
      const misspelt: object = { apiKy: "key" }
      assert.throws(() => createClientFromEnv(misspelt), "apiKy: unknown option")
      set(fake.apiKey, fake.baseUrl)
      assert.isFunction(createClientFromEnv().events.list)
    } finally {
      process.env = before
    }
  })

  it("whose getter throws leave the error unchanged", () => {
    const own = new Error("of the option")
    const options = {
      apiKey: "key",
      baseUrl: "http://service.test",
      get debug(): never {
        throw own
      }
    }
    assert.strictEqual(
      thrown(() => createClientFromEnv(options)),
      own
    )
  })

  it("are still required where there is no environment", () => {
    const { process } = globalThis
    try {
      Reflect.deleteProperty(globalThis, "process")
      assert.throws(() => createClientFromEnv(), "SIGNALBOX_API_KEY and SIGNALBOX_BASE_URL: must be set")
      assert.isFunction(createClientFromEnv({ apiKey: "key", baseUrl: "http://service.test" }).events.list)
    } finally {
      globalThis.process = process
    }
  })
})
