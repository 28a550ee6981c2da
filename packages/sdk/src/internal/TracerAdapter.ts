import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Tracer from "effect/Tracer"
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

/** A span of Effect that forwards to one of OpenTelemetry. */
class ForwardingSpan extends Tracer.NativeSpan {
  readonly #span: OpenTelemetrySpan

  constructor(options: ConstructorParameters<typeof Tracer.NativeSpan>[0], span: OpenTelemetrySpan) {
    const { spanId, traceFlags, traceId } = span.spanContext()
    super({ ...options, sampled: (traceFlags & 1) === 1 })
    this._spanId = spanId
    this._traceId = traceId
    this.#span = span
  }

  override attribute(key: string, value: unknown): void {
    guarded(() => this.#span.setAttribute(key, attributeOf(value)))
  }

  override event(name: string, startTime: bigint, attributes: Record<string, unknown>): void {
    const plain = Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, attributeOf(value)]))
    guarded(() => this.#span.addEvent(name, plain, timeOf(startTime)))
  }

  override end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    super.end(endTime, exit)
    guarded(() => {
      if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)) {
        const error = Cause.squash(exit.cause)
        this.#span.setStatus({ code: errorStatus, ...(error instanceof Error ? { message: error.message } : {}) })
      }
      this.#span.end(timeOf(endTime))
    })
  }
}

/** Effect's tracer over one of `@opentelemetry/api`; the parent of a span is the one active there. */
export const tracerOf = (tracer: OpenTelemetryTracer): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      const { name, startTime } = options
      const forwarding = guarded(
        () => new ForwardingSpan(options, tracer.startSpan(name, { kind: clientKind, startTime: timeOf(startTime) }))
      )
      return forwarding ?? new Tracer.NativeSpan(options)
    }
  })
