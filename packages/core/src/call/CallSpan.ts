import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import { TraceHeaders } from "../policies/Policies.ts"

/** The span of the calls of one operation; attributes are fixed here, so that a call adds numbers only. */
export interface SpanOfCalls {
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/** The span of a call, as far as the pipeline uses it. */
export interface CallSpan extends Pick<Tracer.Span, "attribute" | "event"> {
  /** The headers that name the span in the requests of the call; none unless requested. */
  readonly headers: Readonly<Record<string, string>>
}

/** Runs a call in a span, or without one where no tracer records it. */
export type InSpan = <A, E>(
  span: SpanOfCalls,
  policies: Context.Context<never>,
  call: (span: CallSpan | undefined) => Effect.Effect<A, E>
) => Effect.Effect<A, E>

/**
 * Writes the spans of calls; when unset, the client's state does. The Promise client has a writer without Effect's tracer,
 * which would be 5 % of its size.
 */
export const Spans = Context.Reference<InSpan | undefined>("signalbox/core/Spans", { defaultValue: () => undefined })

/** Runs a call in a span of Effect's tracer, where there is one, or where requests are to name their span. */
export const inEffectSpan: InSpan = ({ attributes, name }, policies, call) => {
  const tracer = Context.getOrUndefined(policies, Tracer.Tracer)
  const headersOf = Context.get(policies, TraceHeaders)
  // Without a tracer the span is discarded, and making one costs as much as the rest of the pipeline.
  if (tracer === undefined && headersOf === undefined) return call(undefined)
  return Effect.useSpan(name, { kind: "client", attributes }, (span) =>
    call({
      attribute: (key, value) => span.attribute(key, value),
      event: (name, startTime, attributes) => span.event(name, startTime, attributes),
      headers: headersOf?.(span) ?? {}
    })
  )
}
