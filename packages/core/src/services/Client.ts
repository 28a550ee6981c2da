/**
 * All services of one client.
 */
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as HttpClient from "effect/http/HttpClient"
import * as CallMetrics from "../call/CallMetrics.ts"
import * as CallState from "../call/CallState.ts"
import * as Connection from "../transport/Connection.ts"
import { Calls } from "./Calls.ts"
import { layers, type Services } from "./Services.ts"
import * as HttpClientTransport from "../transport/HttpClientTransport.ts"
import { RateLimit } from "../call/RateLimit.ts"
import type { Transport } from "../transport/Transport.ts"

export { RateLimit } from "../call/RateLimit.ts"

/** The services of a client. */
export type Client = Services | Calls | RateLimit

/** The standard metrics, unless the program provides its own. */
const measuring = Layer.effect(
  CallMetrics.CallMetrics,
  Effect.map(
    Effect.context<never>(),
    (given) => Context.getOrUndefined(given, CallMetrics.CallMetrics) ?? CallMetrics.standard
  )
)

/** All services, sharing one state; the program provides the connection and the transport. */
export const layerNoDeps: Layer.Layer<Client, never, Transport | Connection.Connection> = Layer.mergeAll(
  ...layers,
  Calls.layer,
  RateLimit.layer
).pipe(Layer.provide(Layer.fresh(CallState.layer)), Layer.provide(measuring))

/**
 * All services of one client, sharing one retry quota, rate limit and connection.
 *
 * **When to use**: programs that use more than one service. A program that only lists events is smaller with
 * `Events.layer`.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as Client from "@signalbox/core/Client"
 * import { Events } from "@signalbox/core/Events"
 *
 * const client = Client.layer({ apiKey: "key", baseUrl: "https://api.example.com" })
 * const program = Events.use((events) => events.list()).pipe(
 *   Effect.provide(client.pipe(Layer.provide(FetchHttpClient.layer)))
 * )
 * ```
 */
export const layer = (
  options: Connection.ConnectionOptions
): Layer.Layer<Client, Connection.ConnectionError, HttpClient.HttpClient> =>
  Layer.fresh(layerNoDeps).pipe(Layer.provide(HttpClientTransport.layer), Layer.provide(Connection.layer(options)))

/**
 * The same layer with options from the configuration of the program: a `Config` for each option, or one for all of them.
 * Fails with a `ConfigError` when an option is missing from the configuration, and with a `ConnectionError` when its value
 * is invalid.
 *
 * **When to use**: programs that have their settings in the environment, or in another `ConfigProvider`.
 * `ConnectionConfig.config` reads `SIGNALBOX_API_KEY`, `SIGNALBOX_BASE_URL` and `SIGNALBOX_VENDOR`.
 *
 * @example
 * ```ts
 * import * as Config from "effect/Config"
 * import * as Client from "@signalbox/core/Client"
 *
 * export const client = Client.layerConfig({
 *   apiKey: Config.Redacted("NOTIFICATIONS_KEY"),
 *   baseUrl: Config.String("NOTIFICATIONS_URL")
 * })
 * ```
 */
export const layerConfig = (
  options: Config.Wrap<Connection.ConnectionOptions>
): Layer.Layer<Client, Config.ConfigError | Connection.ConnectionError, HttpClient.HttpClient> =>
  Layer.unwrap(Effect.map(Config.unwrap(options), layer))
