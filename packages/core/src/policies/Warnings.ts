/**
 * Warnings of this library.
 *
 * **When to use**: to collect warnings in a test, or to send them to a logger that is not Effect's.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Receives one line without secrets about input that works but is probably a mistake. */
export type Warnings = (line: string) => Effect.Effect<void>

/** Effect's log. */
export const logged: Warnings = (line) => Effect.logWarning(line)

/**
 * The function in effect: provided to a call, or when the service was built. A service logs its warnings by default; an
 * operation made without a service, such as `ListEvents.make`, discards them.
 */
export const Warnings = Context.Reference<Warnings>("signalbox/core/Warnings", {
  // Effect's loggers would be a twentieth of the Promise client, which does not use them.
  defaultValue: () => () => Effect.void
})

/** Builds a service whose warnings are logged, unless another function receives them. */
export const loggedUnlessProvided = <A, E, R>(service: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.contextWith((context: Context.Context<never>) =>
    Context.getOrUndefined(context, Warnings) === undefined ? Effect.provideService(service, Warnings, logged) : service
  )

/**
 * Sends the warnings of everything that this layer is provided to or merged with to a function.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Warnings from "@signalbox/core/Warnings"
 *
 * const lines: Array<string> = []
 * const collected = Warnings.layer((line) =>
 *   Effect.sync(() => {
 *     lines.push(line)
 *   })
 * )
 * ```
 */
export const layer = (warnings: Warnings): Layer.Layer<never> => Layer.succeed(Warnings, warnings)
