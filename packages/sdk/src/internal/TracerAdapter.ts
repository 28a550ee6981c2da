import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Tracer from "effect/Tracer"
import type { OpenTelemetrySpan, OpenTelemetryTracer } from "../OpenTelemetryTracer.ts"

// The numbers of `SpanKind` and `SpanStatusCode` in `@opentelemetry/api`.
const kinds = { internal: 0, server: 1, client: 2, producer: 3, consumer: 4 } as const
const errorStatus = 2

const timeOf = (nanoseconds: bigint): [number, number] => [
  Number(nanoseconds / 1_000_000_000n),
  Number(nanoseconds % 1_000_000_000n)
]

const attributeOf = (value: unknown): string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : String(value)

/** Telemetry that fails must not fail the call that it tells about. */
const guarded = <A>(report: () => A): A | undefined => {
  try {
    return report()
  } catch {
    return undefined
  }
}

const withSpan = (own: Tracer.NativeSpan, span: OpenTelemetrySpan): Tracer.Span => {
  const ids = span.spanContext()
  return {
    _tag: "Span",
    name: own.name,
    spanId: ids.spanId,
    traceId: ids.traceId,
    sampled: (ids.traceFlags & 1) === 1,
    parent: own.parent,
    annotations: own.annotations,
    links: own.links,
    kind: own.kind,
    get status() {
      return own.status
    },
    get attributes() {
      return own.attributes
    },
    attribute: (key, value) => {
      own.attribute(key, value)
      guarded(() => span.setAttribute(key, attributeOf(value)))
    },
    event: (name, startTime, attributes = {}) => {
      const known = Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, attributeOf(value)]))
      guarded(() => span.addEvent(name, known, timeOf(startTime)))
    },
    addLinks: (links) => own.addLinks(links),
    end: (endTime, exit) => {
      own.end(endTime, exit)
      guarded(() => {
        if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)) {
          const error = Cause.squash(exit.cause)
          span.setStatus({ code: errorStatus, ...(error instanceof Error ? { message: error.message } : {}) })
        }
        span.end(timeOf(endTime))
      })
    }
  }
}

/** Effect's tracer over one of `@opentelemetry/api`; the parent of a span is what is active there. */
export const tracerOf = (tracer: OpenTelemetryTracer): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      const own = new Tracer.NativeSpan(options)
      const span = guarded(() =>
        tracer.startSpan(options.name, { kind: kinds[options.kind], startTime: timeOf(options.startTime) })
      )
      return span === undefined ? own : (guarded(() => withSpan(own, span)) ?? own)
    }
  })
