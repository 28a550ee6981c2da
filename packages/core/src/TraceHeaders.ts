/**
 * Whether the service is told about the caller's trace.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

/** Whether the headers `b3` and `traceparent` are sent; they are not by default, the service belongs to someone else. */
export const TraceHeaders = Context.Reference<boolean>("signalbox/core/TraceHeaders", { defaultValue: () => false })

/** Sends the trace headers with every request of everything that this layer is provided to. */
export const layer: Layer.Layer<never> = Layer.succeed(TraceHeaders, true)
