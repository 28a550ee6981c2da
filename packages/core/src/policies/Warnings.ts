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

/** The function in effect: provided to a call, or when the service was built; {@link logged} by default. */
export const Warnings = Context.Reference<Warnings>("signalbox/core/Warnings", { defaultValue: () => logged })

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
