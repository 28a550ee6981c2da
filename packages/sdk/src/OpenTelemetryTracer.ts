/** The part of a `Span` of `@opentelemetry/api` that the client uses. */
export interface OpenTelemetrySpan {
  spanContext(): { readonly traceId: string; readonly spanId: string; readonly traceFlags: number }
  setAttribute(key: string, value: string | number | boolean): unknown
  addEvent(name: string, attributes?: Record<string, string | number | boolean>, time?: [number, number]): unknown
  setStatus(status: { code: number; message?: string }): unknown
  end(time?: [number, number]): void
}

/**
 * The part of a `Tracer` of `@opentelemetry/api` that the client uses, described by its shape so that the package is not
 * needed.
 */
export interface OpenTelemetryTracer {
  startSpan(
    name: string,
    options?: {
      kind?: number
      attributes?: Record<string, string | number | boolean>
      startTime?: [number, number]
    }
  ): OpenTelemetrySpan
}
