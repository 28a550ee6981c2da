/**
 * How many requests one client has in progress at the same time.
 *
 * **When to use**: to change the limit, which is 256 by default. More calls than that wait for their turn in the order
 * in which they arrived, within their deadlines; a call that is interrupted while it waits sends nothing.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { count } from "./PolicyNumber.ts"

/**
 * The limit in force: set for a call, or when the service was built, or 256.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Events } from "@signalbox/core/Events"
 * import { MaxConcurrency } from "@signalbox/core/MaxConcurrency"
 *
 * const oneByOne = Events.use((events) => events.list()).pipe(Effect.provideService(MaxConcurrency, 1))
 * ```
 */
export const MaxConcurrency = Context.Reference<number>("signalbox/core/MaxConcurrency", { defaultValue: () => 256 })

/** Sets the limit, an integer from 1, for everything that this layer is provided to, or merged with. */
export const layer = (limit: number): Layer.Layer<never> =>
  Layer.succeed(MaxConcurrency, count("maxConcurrency", limit, 1))
