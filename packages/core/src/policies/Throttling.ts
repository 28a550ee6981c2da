/**
 * Whether a client waits when the rate limit is exhausted.
 *
 * **When to use**: `off` where another part of the system enforces the limit, or where a failure is better than a delay.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

/**
 * Whether a client waits when the rate limit is exhausted.
 *
 * - `wait`: after `RateLimit-Remaining: 0` the next request waits for the reset; if the reset is after the
 *   deadline of the call, the call fails with `RateLimited` and nothing is sent
 * - `off`: always sends
 */
export type Throttling = "wait" | "off"

/** Waits for the reset; the default. */
export const wait: Throttling = "wait"

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
