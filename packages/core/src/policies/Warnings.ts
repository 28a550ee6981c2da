/**
 * Where this library's warnings go.
 *
 * **When to use**: to collect warnings in a test, or to send them to a logger that is not Effect's.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Is told, in one line without secrets, about what works and is probably not meant. */
export type Warnings = (line: string) => Effect.Effect<void>

/** Effect's log. */
export const logged: Warnings = (line) => Effect.logWarning(line)

/** Who is told: given at a call, or when the service was built, or {@link logged}. */
export const Warnings = Context.Reference<Warnings>("signalbox/core/Warnings", { defaultValue: () => logged })

/**
 * Sets who is told by everything that this layer is provided to, or is merged beside.
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
