import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { clientLayer, makeTransport, page } from "../../test/transport/Transport.ts"
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
    ["http://service.test/gateway//", "http://service.test/gateway"]
  ] as const) {
    it.effect(`${given} is ${expected}`, () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* Connection.make({ ...base, baseUrl: given })).baseUrl, expected)
      })
    )
  }
  const wrong: ReadonlyArray<readonly [string, Partial<Connection.ConnectionOptions>, string]> = [
    ["no URL", { baseUrl: "service" }, "baseUrl"],
    ["another protocol", { baseUrl: "ftp://service.test" }, "baseUrl"],
    ["credentials in the URL", { baseUrl: "http://a:b@service.test" }, "baseUrl"],
    ["a query in the URL", { baseUrl: "http://service.test?x=1" }, "baseUrl"],
    ["an empty key", { apiKey: "" }, "apiKey"],
    ["a key with a line break", { apiKey: "secret-key\n" }, "apiKey"],
    ["a redacted key with a line break", { apiKey: Redacted.make("secret-key\r\nx: y") }, "apiKey"],
    ["a vendor with a space", { vendor: "a b" }, "vendor"],
    ["a header of the client's own", { headers: { Authorization: "x" } }, "headers"],
    ["a header with a line break", { headers: { "x-gateway": "a\nb" } }, "headers"]
  ]
  for (const [name, options, setting] of wrong) {
    it.effect(`refuses ${name} in one line`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(Connection.make({ ...base, ...options }))
        assert.strictEqual(error.setting, setting)
        assert.notInclude(error.message, "secret-key")
        assert.notInclude(error.message, "\n")
      })
    )
  }
  it.effect("a key that is an effect is read for each call and checked", () =>
    Effect.gen(function* () {
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
  )
})

describe("a key that never comes", () => {
  it.effect("is a timeout of the call", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(
        Events.use((events) => events.list()).pipe(
          Effect.flip,
          Effect.provide(
            clientLayer(
              makeTransport(() => Response.json(page())),
              { apiKey: Effect.never }
            )
          )
        ),
        { startImmediately: true }
      )
      yield* TestClock.adjust("60 seconds")
      const { reason } = yield* Fiber.join(fiber)
      assert.strictEqual(reason._tag === "Timeout" && reason.scope, "call")
    })
  )
})

describe("ConnectionConfig", () => {
  const from = (env: Record<string, string>) =>
    Connection.Connection.use(Effect.succeed).pipe(
      Effect.provide(ConnectionConfig.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env })))))
    )
  it.effect("reads the three variables", () =>
    Effect.gen(function* () {
      const env = { SIGNALBOX_API_KEY: "key", SIGNALBOX_BASE_URL: "http://service.test/v1", SIGNALBOX_VENDOR: "acme" }
      const connection = yield* from(env)
      assert.deepStrictEqual([connection.baseUrl, connection.vendor], ["http://service.test", "acme"])
      assert.strictEqual(Redacted.value(yield* connection.apiKey), "key")
    })
  )
  it.effect("says what is missing", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(from({ SIGNALBOX_BASE_URL: "http://service.test" }))
      assert.include(String(error.message), "SIGNALBOX_API_KEY")
    })
  )
})
