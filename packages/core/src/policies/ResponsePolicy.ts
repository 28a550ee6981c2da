/**
 * How a successful response is read.
 *
 * **When to use**: `strict` in tests that compare a service, or a fake of it, with the API document. Programs in
 * production read tolerantly: one new value of an enumeration must not fail their calls.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

/**
 * How a successful response is read.
 *
 * - `tolerant`: parts that the API document does not describe are accepted and reported as drift; a part that cannot be
 *   read is left out and reported in `unreadable`
 * - `strict`: any drift fails the call with `MalformedResponse`
 */
export type ResponsePolicy = "tolerant" | "strict"

/** Parts that the API document does not describe are accepted and reported as drift; the default. */
export const tolerant: ResponsePolicy = "tolerant"

/** Any drift fails the call: for tests of a service, not for production. */
export const strict: ResponsePolicy = "strict"

/**
 * The policy in effect: provided to a call, or when the service was built; {@link tolerant} by default.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Events } from "@signalbox/core/Events"
 * import * as ResponsePolicy from "@signalbox/core/ResponsePolicy"
 *
 * const exact = Events.use((events) => events.list()).pipe(
 *   Effect.provideService(ResponsePolicy.ResponsePolicy, ResponsePolicy.strict)
 * )
 * ```
 */
export const ResponsePolicy = Context.Reference<ResponsePolicy>("signalbox/core/ResponsePolicy", {
  defaultValue: () => tolerant
})

/** Sets the policy for everything that this layer is provided to or merged with. */
export const layer = (policy: ResponsePolicy): Layer.Layer<never> => Layer.succeed(ResponsePolicy, policy)
