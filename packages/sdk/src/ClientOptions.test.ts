import { assert, describe, it } from "@effect/vitest"
import { createFake } from "@signalbox/test-harness"
import { clientOn, fast, rejection } from "../test/AnsweredClient.ts"
import { ClientOptionError, type ClientOptions, createClient, createClientFromEnv } from "./index.ts"

describe("options", () => {
  const wrong: ReadonlyArray<readonly [string, unknown]> = [
    ["apiKey", { apiKey: 7 }],
    ["apiKey", { apiKey: "" }],
    ["baseUrl", { baseUrl: "nowhere" }],
    ["baseURL", { baseURL: "http://service.test" }],
    ["vendor", { vendor: "two words" }],
    ["fetch", { fetch: "fetch" }],
    ["headers", { headers: { authorization: "mine" } }],
    ["headers.x-tenant", { headers: { "x-tenant": 7 } }],
    ["arrayEncoding", { arrayEncoding: "commas" }],
    ["retry", { retry: true }],
    ["retry.maxRetries", { retry: { maxRetries: -1 } }],
    ["retry.retries", { retry: { retries: 3 } }],
    ["retry.baseDelay", { retry: { baseDelay: Number.NaN } }],
    ["timeouts.attempt", { timeouts: { attempt: 0 } }],
    ["timeouts.call", { timeouts: { call: "10 s" } }],
    ["idempotency", { idempotency: "always" }],
    ["idempotency.derived.scope", { idempotency: { derived: { scope: "" } } }],
    ["idempotency.derived.generation", { idempotency: { derived: { scope: "job", generation: 1.5 } } }],
    ["response", { response: "lax" }],
    ["throttle", { throttle: 1 }],
    ["onDrift", { onDrift: {} }],
    ["debug", { debug: true }],
    ["tracer", { tracer: {} }]
  ]
  for (const [option, options] of wrong) {
    it(`names ${option} in ${JSON.stringify(options)}`, () => {
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

  it("are overruled by those of a call, field by field", async () => {
    const { client, sent } = clientOn(() => new Response(null, { status: 503 }), fast)
    await rejection(client.events.list({}, { retry: false }))
    assert.lengthOf(sent, 1)
    await rejection(client.events.list({}, { retry: { maxRetries: 4 } }))
    assert.lengthOf(sent, 6)
    const error = await rejection(client.events.list({}, { retry: { maxRetries: -2 } }))
    assert.instanceOf(error, ClientOptionError)
    await client.close()
  })

  it("come from the environment when asked", () => {
    const fake = createFake()
    const before = { ...process.env }
    try {
      delete process.env["SIGNALBOX_API_KEY"]
      assert.throws(() => createClientFromEnv({ baseUrl: fake.baseUrl }), "SIGNALBOX_API_KEY: must be set")
      process.env["SIGNALBOX_API_KEY"] = fake.apiKey
      assert.throws(() => createClientFromEnv(), "SIGNALBOX_BASE_URL: must be set")
      process.env["SIGNALBOX_BASE_URL"] = fake.baseUrl
      assert.isFunction(createClientFromEnv().events.list)
    } finally {
      process.env = before
    }
  })

  it("are still wanted where there is no environment", () => {
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
