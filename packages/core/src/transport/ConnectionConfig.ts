/**
 * The connection from configuration: `SIGNALBOX_API_KEY`, `SIGNALBOX_BASE_URL`, `SIGNALBOX_VENDOR`.
 *
 * **When to use**: programs that have their settings in the environment, or in another `ConfigProvider`. A separate
 * entry point, because most programs have them elsewhere and `effect/Config` adds to the bundle.
 *
 * @since 0.1.0
 */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Connection, type ConnectionError, type ConnectionOptions, make } from "./Connection.ts"
import { neutral } from "../reading/Vendor.ts"

/** The settings as a `Config`, to be combined with others. */
export const config: Config.Config<Pick<ConnectionOptions, "apiKey" | "baseUrl" | "vendor">> = Config.all({
  apiKey: Config.Redacted("SIGNALBOX_API_KEY"),
  baseUrl: Config.String("SIGNALBOX_BASE_URL"),
  vendor: Config.String("SIGNALBOX_VENDOR").pipe(Config.withDefault(neutral))
})

/**
 * Reads the connection from the configuration of the program, by default its environment variables.
 *
 * @example
 * ```ts
 * import * as ConnectionConfig from "@signalbox/core/ConnectionConfig"
 *
 * export const connection = ConnectionConfig.layer
 * ```
 */
export const layer: Layer.Layer<Connection, ConnectionError | Config.ConfigError> = Layer.effect(
  Connection,
  Effect.flatMap(config, make)
)
