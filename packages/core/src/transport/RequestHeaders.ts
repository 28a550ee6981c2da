/**
 * Headers that a call adds to those of its connection.
 *
 * **When to use**: for headers that change, such as the rotating token of a gateway, or that belong to one call.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { ConnectionError } from "./Connection.ts"

/**
 * The header with the number of retries before a request. A call that starts with it counts in it: every attempt sends
 * its own number.
 */
export const retryCountHeader = "x-signalbox-retry-count"

/** Headers, read once for each call, before its deadline. The error of an effect that fails names the setting `headers`. */
export type RequestHeaders = Effect.Effect<Readonly<Record<string, string>>, ConnectionError>

/**
 * The headers in effect: set for a call, or when the service was built, or none. They replace those of the connection
 * with the same name. Their values are treated as secrets, like those of the connection.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Events } from "@signalbox/core/Events"
 * import { RequestHeaders } from "@signalbox/core/RequestHeaders"
 *
 * const tenant = Effect.succeed({ "x-tenant": "blue" })
 * const program = Events.use((events) => events.list()).pipe(Effect.provideService(RequestHeaders, tenant))
 * ```
 */
export const RequestHeaders = Context.Reference<RequestHeaders>("signalbox/core/RequestHeaders", {
  defaultValue: () => Effect.succeed({})
})
