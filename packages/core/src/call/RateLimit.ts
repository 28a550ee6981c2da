import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { RateLimitSnapshot } from "./CallInfo.ts"
import { CallState } from "./CallState.ts"

/**
 * The rate limit that the service last reported to one client: to slow down, or to show the remaining requests, before the
 * service rejects requests.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import * as CallState from "@signalbox/core/CallState"
 * import { RateLimit } from "@signalbox/core/Client"
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
