/**
 * Whether a call waits for the rate limit of the service.
 *
 * **When to use**: `background` for many calls that no user waits for; `off` where another part of the system enforces
 * the limit, or where a failure is better than a delay.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

/**
 * Whether a call waits for the rate limit of the service.
 *
 * - `wait`: sends when the limit has room. A wait that the service announced counts as no retry, up to 100 in one
 *   call; if it is longer than the rest of the call's deadline, the call fails with `RateLimited` immediately
 * - `background`: the same, and waits for the limit and for other calls do not count towards the deadline. Until a limit
 *   is known, the number of concurrent requests grows from 32
 * - `off`: always sends
 */
export type Throttling = "wait" | "background" | "off"

/** Waits within the call's deadline; the default. */
export const wait: Throttling = "wait"

/** Waits as long as necessary. */
export const background: Throttling = "background"

/** Always sends. */
export const off: Throttling = "off"

/**
 * The policy in effect: provided to a call, or when the service was built; {@link wait} by default.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Events } from "@signalbox/core/Events"
 * import * as Throttling from "@signalbox/core/Throttling"
 *
 * const atOnce = Events.use((events) => events.list()).pipe(
 *   Effect.provideService(Throttling.Throttling, Throttling.off)
 * )
 * ```
 */
export const Throttling = Context.Reference<Throttling>("signalbox/core/Throttling", { defaultValue: () => wait })

/** Sets the policy for everything that this layer is provided to or merged with. */
export const layer = (policy: Throttling): Layer.Layer<never> => Layer.succeed(Throttling, policy)
