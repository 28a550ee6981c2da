import { assert, describe } from "@effect/vitest"
import { it } from "../../test/It.ts"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { page } from "../../test/transport/Transport.ts"
import * as ConnectionConfig from "../transport/ConnectionConfig.ts"
import * as Client from "./Client.ts"
import { Events } from "./Events.ts"

describe("layerConfig", () => {
  /** Lists one page with the layer, and returns the URL and the authorization of the request. */
  const listWith = Effect.fnUntraced(function* (
    layer: ReturnType<typeof Client.layerConfig>,
    env: Readonly<Record<string, string>>
  ) {
    const sent: Array<string | undefined> = []
    const http = HttpClient.make((request, url) => {
      sent.push(url.href, request.headers["authorization"])
      return Effect.succeed(HttpClientResponse.fromWeb(request, Response.json(page())))
    })
    yield* Events.use(({ list }) => list()).pipe(
      Effect.provide(layer.pipe(Layer.provide(Layer.succeed(HttpClient.HttpClient, http)))),
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))
    )
    return sent
  })
  const ownNames = Client.layerConfig({ apiKey: Config.Redacted("KEY"), baseUrl: Config.String("URL") })

  it.effect("accepts a Config for each option", function* () {
    const sent = yield* listWith(ownNames, { KEY: "key-1", URL: "http://service.test/v1" })
    assert.deepStrictEqual(sent, ["http://service.test/v1/notifications", "ApiKey key-1"])
  })
  it.effect("accepts one Config for all options, such as that of the standard variables", function* () {
    const env = { SIGNALBOX_API_KEY: "key-2", SIGNALBOX_BASE_URL: "http://service.test" }
    const sent = yield* listWith(Client.layerConfig(ConnectionConfig.config), env)
    assert.deepStrictEqual(sent, ["http://service.test/v1/notifications", "ApiKey key-2"])
  })
  it.effect("fails with the name of a missing variable or of an invalid option", function* () {
    const missing = yield* Effect.flip(listWith(ownNames, { URL: "http://service.test" }))
    assert.strictEqual(missing._tag, "ConfigError")
    assert.include(missing.message, "KEY")
    const invalid = yield* Effect.flip(listWith(ownNames, { KEY: "key", URL: "nowhere" }))
    assert.strictEqual(invalid._tag, "ConnectionError")
    assert.include(invalid.message, "baseUrl")
  })
})
