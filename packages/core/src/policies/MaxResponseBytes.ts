/**
 * The largest response body that a client reads, in bytes after decompression.
 *
 * **When to use**: to change the limit, which is 64 MB by default. A larger body fails the call with `MalformedResponse`
 * and closes the connection; a write keeps its `accepted`.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { count } from "./PolicyNumber.ts"

/**
 * The limit in force: set for a call, or when the service was built, or 64 MB.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Events } from "@signalbox/core/Events"
 * import { MaxResponseBytes } from "@signalbox/core/MaxResponseBytes"
 *
 * const small = Events.use((events) => events.list()).pipe(Effect.provideService(MaxResponseBytes, 1_000_000))
 * ```
 */
export const MaxResponseBytes = Context.Reference<number>("signalbox/core/MaxResponseBytes", {
  defaultValue: () => 64 * 1024 * 1024
})

/** Sets the limit, an integer from 1, for everything that this layer is provided to, or merged with. */
export const layer = (limit: number): Layer.Layer<never> =>
  Layer.succeed(MaxResponseBytes, count("maxResponseBytes", limit, 1))
