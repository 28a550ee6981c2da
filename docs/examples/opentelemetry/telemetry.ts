import { context, metrics, trace } from "@opentelemetry/api"
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks"
import { MeterProvider, type MetricReader } from "@opentelemetry/sdk-metrics"
import { BasicTracerProvider, type SpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base"
import { type Client, type ClientOptions, createClient } from "@signalbox/sdk"

/** Starts tracing. A service exports its spans in batches, for example with `@opentelemetry/exporter-trace-otlp-http`. */
export const startTracing = (exporter: SpanExporter): void => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
}

/** Starts metrics. A service exports them regularly, with a `PeriodicExportingMetricReader`. */
export const startMetrics = (reader: MetricReader): void => {
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))
}

/** A client whose calls are spans and are measured. */
export const makeClient = (options: ClientOptions): Client =>
  createClient({
    ...options,
    tracer: trace.getTracer("notifications"),
    meter: metrics.getMeter("notifications")
  })
