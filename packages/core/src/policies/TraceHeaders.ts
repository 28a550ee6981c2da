/**
 * Whether requests carry the trace context of the caller.
 *
 * **When to use**: only where the service is your own, or part of your own tracing: the headers reveal trace identifiers
 * of your system.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type * as Tracer from "effect/Tracer"
import * as HttpTraceContext from "effect/http/HttpTraceContext"

/** The headers that carry the trace context of a call's span. */
export type TraceHeaders = (span: Tracer.Span) => Readonly<Record<string, string>>

/** `b3` and `traceparent`. */
export const sent: TraceHeaders = HttpTraceContext.toHeaders

/**
 * The headers in effect; unset by default, because the service is usually a third party.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Events } from "@signalbox/core/Events"
 * import { TraceHeaders } from "@signalbox/core/TraceHeaders"
 *
 * const traced = Events.use((events) => events.list()).pipe(
 *   Effect.provideService(TraceHeaders, ({ spanId, traceId }) => ({ traceparent: `00-${traceId}-${spanId}-01` }))
 * )
 * ```
 */
export const TraceHeaders = Context.Reference<TraceHeaders | undefined>("signalbox/core/TraceHeaders", {
  defaultValue: () => undefined
})

/** Sends the headers of {@link sent} with every request of everything that this layer is provided to. */
export const layer: Layer.Layer<never> = /* @__PURE__ */ Layer.succeed(TraceHeaders, sent)
