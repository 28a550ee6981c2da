/**
 * Where this library's warnings go.
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

/** Sets who is told by everything that this layer is provided to, or is merged beside. */
export const layer = (warnings: Warnings): Layer.Layer<never> => Layer.succeed(Warnings, warnings)
