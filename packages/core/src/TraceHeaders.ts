/**
 * Whether the service is told about the caller's trace.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type * as Tracer from "effect/Tracer"
import * as HttpTraceContext from "effect/http/HttpTraceContext"

/** The headers that tell the service about the span of a call. */
export type TraceHeaders = (span: Tracer.Span) => Readonly<Record<string, string>>

/** `b3` and `traceparent`. */
export const sent: TraceHeaders = HttpTraceContext.toHeaders

/** The headers in force; none by default, the service belongs to someone else. */
export const TraceHeaders = Context.Reference<TraceHeaders | undefined>("signalbox/core/TraceHeaders", {
  defaultValue: () => undefined
})

/** Sends the headers of {@link sent} with every request of everything that this layer is provided to. */
export const layer: Layer.Layer<never> = /* @__PURE__ */ Layer.succeed(TraceHeaders, sent)
