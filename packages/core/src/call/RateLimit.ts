/**
 * The rate limit that the service last reported.
 *
 * **When to use**: to slow down, or to show the remaining requests, before the service rejects requests.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { RateLimitSnapshot } from "./CallFacts.ts"
import { CallState } from "./CallState.ts"

export type { RateLimitSnapshot } from "./CallFacts.ts"

/**
 * The rate limit of one client, as its calls have seen it.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import * as CallState from "@signalbox/core/CallState"
 * import { RateLimit } from "@signalbox/core/RateLimit"
 *
 * const remaining = RateLimit.use(({ snapshot }) => snapshot).pipe(
 *   Effect.map((last) => last?.remaining),
 *   Effect.provide(RateLimit.layer.pipe(Layer.provide(CallState.layer)))
 * )
 * Effect.runSync(remaining) // => undefined
 * ```
 */
export class RateLimit extends Context.Service<
  RateLimit,
  {
    /** The last reported rate limit; `undefined` before the first response with such headers. */
    readonly snapshot: Effect.Effect<RateLimitSnapshot | undefined>
  }
>()("signalbox/core/RateLimit") {
  /** Reads the rate limit that calls of the same client received. */
  static readonly layer: Layer.Layer<RateLimit, never, CallState> = Layer.effect(
    RateLimit,
    Effect.map(CallState, (state) => ({ snapshot: Effect.sync(() => state.lastSnapshot) }))
  )
}
