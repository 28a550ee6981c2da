/**
 * The connection from configuration: `SIGNALBOX_API_KEY`, `SIGNALBOX_BASE_URL`, `SIGNALBOX_VENDOR`.
 *
 * **When to use**: programs that have their settings in the environment, or in another `ConfigProvider`. A separate
 * entry point, because most programs have them elsewhere and `effect/Config` adds to the bundle.
 */
import * as Config from "effect/Config"
import type { ConnectionOptions } from "./Connection.ts"
import { neutral } from "../reading/Vendor.ts"

/**
 * The settings as a `Config`, for `Client.layerConfig`, or to be combined with others.
 *
 * @example
 * ```ts
 * import * as Client from "@signalbox/core/Client"
 * import * as ConnectionConfig from "@signalbox/core/ConnectionConfig"
 *
 * export const client = Client.layerConfig(ConnectionConfig.config)
 * ```
 */
export const config: Config.Config<Pick<ConnectionOptions, "apiKey" | "baseUrl" | "vendor">> = Config.all({
  apiKey: Config.Redacted("SIGNALBOX_API_KEY"),
  baseUrl: Config.String("SIGNALBOX_BASE_URL"),
  vendor: Config.String("SIGNALBOX_VENDOR").pipe(Config.withDefault(neutral))
})
