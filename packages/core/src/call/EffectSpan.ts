import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import { TraceHeaders } from "../policies/Policies.ts"
import type { InSpan } from "./CallSpan.ts"

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
