import { assert, describe } from "@effect/vitest"
import { it } from "../../test/It.ts"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { fork, clientLayer, makeTransport, page } from "../../test/transport/Transport.ts"
import * as Connection from "./Connection.ts"
import * as ConnectionConfig from "./ConnectionConfig.ts"
import { Events } from "../services/Events.ts"

const base = { apiKey: "key", baseUrl: "http://service.test" }

describe("make", () => {
  for (const [given, expected] of [
    ["http://service.test", "http://service.test"],
    ["http://service.test/", "http://service.test"],
    ["http://service.test/v1", "http://service.test"],
    ["https://service.test:8080/gateway/v1/", "https://service.test:8080/gateway"],
    ["http://service.test/gateway//", "http://service.test/gateway"],
    ["http://service.test/gateway///v1//", "http://service.test/gateway"],
    ["http://service.test/v1/gateway", "http://service.test/v1/gateway"],
    [new URL("http://service.test/v1"), "http://service.test"]
  ] as const) {
    it.effect(`${given} is ${expected}`, function* () {
      assert.strictEqual((yield* Connection.make({ ...base, baseUrl: given })).baseUrl, expected)
    })
  }
  const wrong: ReadonlyArray<readonly [string, Partial<Connection.ConnectionOptions>, string]> = [
    ["no URL", { baseUrl: "service" }, "baseUrl"],
    ["another protocol", { baseUrl: "ftp://service.test" }, "baseUrl"],
    ["credentials in the URL", { baseUrl: "http://a:b@service.test" }, "baseUrl"],
    ["a user in the URL", { baseUrl: "http://a@service.test" }, "baseUrl"],
    ["a password in the URL", { baseUrl: "http://:b@service.test" }, "baseUrl"],
    ["a fragment in the URL", { baseUrl: "http://service.test#x" }, "baseUrl"],
    ["a query in the URL", { baseUrl: "http://service.test?x=1" }, "baseUrl"],
    ["an empty key", { apiKey: "" }, "apiKey"],
    ["no key", { apiKey: undefined as never }, "apiKey"],
    ["a redacted key that is not set", { apiKey: Redacted.make(undefined as never) }, "apiKey"],
    ["an option of the Promise client", { timeouts: { callMs: 1 } } as object, "timeouts"],
    ["a key with a line break", { apiKey: "secret-key\n" }, "apiKey"],
    ["a redacted key with a line break", { apiKey: Redacted.make("secret-key\r\nx: y") }, "apiKey"],
    ["a vendor with a space", { vendor: "a b" }, "vendor"],
    ["a vendor with an outer dash", { vendor: "acme-" }, "vendor"],
    ["a vendor with a double dash", { vendor: "acme--mail" }, "vendor"],
    ["no vendor in the option", { vendor: "" }, "vendor"],
    ["an invalid name of a header", { headers: { "x gateway": "a" } }, "headers"],
    ["no name of a header", { headers: { "": "a" } }, "headers"],
    ["a header beyond Latin-1", { headers: { "x-gateway": "\u0101" } }, "headers"],
    ["a header of the client's own", { headers: { Authorization: "x" } }, "headers"],
    ["a header with a line break", { headers: { "x-gateway": "a\nb" } }, "headers"]
  ]
  for (const [name, options, setting] of wrong) {
    it.effect(`refuses ${name} in one line`, function* () {
      const error = yield* Effect.flip(Connection.make({ ...base, ...options }))
      assert.strictEqual(error.setting, setting)
      assert.notInclude(error.message, "secret-key")
      assert.notInclude(error.message, "\n")
    })
  }
  it.effect("a key that is an effect is read for each call and checked", function* () {
    const keys = ["first-key", "second-key", "bad key"]
    const transport = makeTransport(() => Response.json(page()))
    const apiKey = Effect.sync(() => Redacted.make(keys.shift() ?? ""))
    const list = Events.use((events) => events.list())
    const error = yield* Effect.andThen(Effect.andThen(list, list), Effect.flip(list)).pipe(
      Effect.provide(clientLayer(transport, { apiKey }))
    )
    assert.deepStrictEqual(
      transport.sent.map(({ headers }) => headers.get("authorization")),
      ["ApiKey first-key", "ApiKey second-key"]
    )
    assert.strictEqual(error.reason._tag === "InvalidRequest" && error.reason.fields[0]?.path, "apiKey")
  })
})

describe("the settings of a connection", () => {
  it.effect("have defaults", function* () {
    const { apiKey: _, ...settings } = yield* Connection.make(base)
    assert.deepStrictEqual(settings, {
      baseUrl: "http://service.test",
      vendor: "service",
      headers: {},
      arrayEncoding: "repeat"
    })
  })
  it.effect("are taken where they are valid", function* () {
    const headers = { "x-gateway": "a\tb \u00e9", "X.Trace~1": "" }
    for (const vendor of ["acme", "Acme2", "acme-mail-eu"]) {
      const connection = yield* Connection.make({ ...base, vendor, headers, arrayEncoding: "comma" })
      assert.deepInclude(connection, { vendor, headers, arrayEncoding: "comma" })
    }
  })
  const messages: ReadonlyArray<readonly [object, string]> = [
    [{ baseUrl: "x" }, "baseUrl: must be an http:// or https:// URL without credentials, query or fragment"],
    [{ apiKey: "" }, "apiKey: must not be empty"],
    [{ apiKey: "a b" }, "apiKey: must be one line of visible ASCII characters, without spaces"],
    [{ vendor: "a b" }, "vendor: must be one word of letters, digits and inner dashes, such as acme"],
    [{ headers: { "a b": "" } }, "headers: every name must be a valid header name"],
    [{ headers: { x: "\n" } }, 'headers: the value of "x" must be one line of Latin-1 characters'],
    ...["Authorization", "idempotency-key", "Content-Type", "accept", "content-length", "Host"].map(
      (name) => [{ headers: { [name]: "x" } }, `headers: "${name}" is set by the client`] as const
    ),
    [{ arrayEncoding: "twice" }, "arrayEncoding: must be one of repeat, brackets, indices, comma"],
    // Programs without types pass anything.
    [{ baseUrl: undefined }, "baseUrl: must be an http:// or https:// URL without credentials, query or fragment"],
    [{ baseUrl: { href: 7 } }, "baseUrl: must be an http:// or https:// URL without credentials, query or fragment"]
  ]
  it.each(messages)("%j: %s", (options, message) => {
    const result = Connection.check(Object.assign({ ...base }, options))
    assert.isTrue(Result.isFailure(result) && result.failure.message === message, JSON.stringify(result))
    if (Result.isFailure(result)) assert.strictEqual(`${result.failure.setting}: ${result.failure.rule}`, message)
  })
})

describe("a key that cannot be read", () => {
  it.effect("fails the call with the error of the key as its cause, which is no part of its JSON", function* () {
    const own = new Error("the vault is sealed: hunter2")
    const cause = Object.assign(
      new Connection.ConnectionError({ message: "apiKey: no vault", setting: "apiKey", rule: "no vault" }),
      { cause: own }
    )
    const transport = makeTransport(() => Response.json(page()))
    const error = yield* Effect.flip(Events.use((events) => events.list())).pipe(
      Effect.provide(clientLayer(transport, { apiKey: Effect.fail(cause) }))
    )
    assert.strictEqual(error.cause, own)
    assert.deepInclude(error.reason, {
      _tag: "InvalidRequest",
      message: "apiKey: no vault",
      fields: [{ path: "apiKey", rule: "no vault" }]
    })
    assert.notInclude(JSON.stringify(error), "hunter2")
    assert.isEmpty(transport.sent)
    const without = yield* Effect.flip(Events.use((events) => events.list())).pipe(
      Effect.provide(clientLayer(transport, { apiKey: Effect.succeed(Redacted.make("a b")) }))
    )
    assert.notProperty(without, "cause")
  })
})

describe("a key that never comes", () => {
  it.effect("is a timeout of the call", function* () {
    const fiber = yield* fork(
      Events.use((events) => events.list()).pipe(
        Effect.flip,
        Effect.provide(
          clientLayer(
            makeTransport(() => Response.json(page())),
            { apiKey: Effect.never }
          )
        )
      )
    )
    yield* TestClock.adjust("60 seconds")
    const { reason } = yield* Fiber.join(fiber)
    assert.deepInclude(reason, {
      _tag: "Timeout",
      scope: "call",
      limitMs: 60_000,
      message: "no API key within 60000 ms"
    })
  })
})

describe("ConnectionConfig", () => {
  const from = (env: Record<string, string>) =>
    Effect.flatMap(ConnectionConfig.config, Connection.make).pipe(
      Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env })))
    )
  it.effect("reads the three variables", function* () {
    const env = { SIGNALBOX_API_KEY: "key", SIGNALBOX_BASE_URL: "http://service.test/v1", SIGNALBOX_VENDOR: "acme" }
    const connection = yield* from(env)
    assert.deepStrictEqual([connection.baseUrl, connection.vendor], ["http://service.test", "acme"])
    assert.strictEqual(Redacted.value(yield* connection.apiKey), "key")
  })
  it.effect("reports what is missing", function* () {
    const error = yield* Effect.flip(from({ SIGNALBOX_BASE_URL: "http://service.test" }))
    assert.include(String(error.message), "SIGNALBOX_API_KEY")
  })
})
