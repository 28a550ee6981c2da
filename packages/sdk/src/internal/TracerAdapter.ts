import type { CallSpan, InSpan } from "@signalbox/core/internal/call/CallSpan"
import { CallClock } from "@signalbox/core/internal/call/CallClock"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { OpenTelemetrySpan, OpenTelemetryTracer } from "../OpenTelemetryTracer.ts"

// `SpanKind.CLIENT`, the kind of every call, and `SpanStatusCode.ERROR` in `@opentelemetry/api`.
const clientKind = 2
const errorStatus = 2

const timeOf = (nanoseconds: bigint): [number, number] => [
  Number(nanoseconds / 1_000_000_000n),
  Number(nanoseconds % 1_000_000_000n)
]

/** Calls have attributes of two types. */
const attributeOf = (value: unknown): string | number => (typeof value === "number" ? value : String(value))

/** A failing tracer must not fail the call. */
const guarded = <A>(report: () => A): A | undefined => {
  try {
    return report()
  } catch {
    return undefined
  }
}

/** `traceparent` of W3C Trace Context. */
const traceparentOf = ({ spanId, traceFlags, traceId }: ReturnType<OpenTelemetrySpan["spanContext"]>) => ({
  traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}`
})

const callSpanOf = (
  span: OpenTelemetrySpan,
  context: ReturnType<OpenTelemetrySpan["spanContext"]>,
  sendsHeaders: boolean
): CallSpan => ({
  attribute: (key, value) => void guarded(() => span.setAttribute(key, attributeOf(value))),
  event: (name, startTime, attributes = {}) => {
    const plain = Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, attributeOf(value)]))
    guarded(() => span.addEvent(name, plain, timeOf(startTime)))
  },
  headers: sendsHeaders ? traceparentOf(context) : {}
})

const end = (span: OpenTelemetrySpan, endTime: bigint, exit: Exit.Exit<unknown, unknown>, isRead: boolean): void => {
  // An interrupted write may have been applied; a page that is fetched ahead is often not needed.
  if (Exit.isFailure(exit) && !(isRead && Cause.hasInterruptsOnly(exit.cause))) {
    // Anything can be thrown; a value without a message is left out by the guard or by the tracer.
    guarded(() => span.setStatus({ code: errorStatus, message: (Cause.squash(exit.cause) as Error).message }))
  }
  guarded(() => span.end(timeOf(endTime)))
}

/** Writes the spans of calls to a tracer of `@opentelemetry/api`; the parent of a span is the one active there. */
export const spansOf =
  (tracer: OpenTelemetryTracer, sendsHeaders: boolean): InSpan =>
  ({ attributes, name }, _, call) =>
    Effect.withFiber((fiber) => {
      const clock = fiber.getRef(CallClock)
      const now = () => clock.currentTimeNanosUnsafe()
      const span = guarded(() => tracer.startSpan(name, { kind: clientKind, startTime: timeOf(now()) }))
      const callSpan = span && guarded(() => callSpanOf(span, span.spanContext(), sendsHeaders))
      if (span === undefined || callSpan === undefined) return call(undefined)
      for (const [key, value] of Object.entries(attributes)) callSpan.attribute(key, value)
      return Effect.onExit(call(callSpan), (exit) =>
        Effect.sync(() => end(span, now(), exit, attributes["http.request.method"] === "GET"))
      )
    })
