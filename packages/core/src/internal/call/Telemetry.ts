import type * as Context from "effect/Context"
import * as Metric from "effect/Metric"
import type * as Tracer from "effect/Tracer"
import type { Attempt } from "../../Attempt.ts"
import type { Operation } from "../../Operation.ts"

/** What the calls of one operation report. */
export interface Telemetry {
  readonly spanName: string
  readonly spanAttributes: Readonly<Record<string, unknown>>
  readonly succeeded: (context: Context.Context<never>, durationMs: number, attempts: number) => void
  readonly failed: (context: Context.Context<never>, durationMs: number, attempts: number, reason: string) => void
}

const boundaries = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000]

/** A route with one value for all subscribers, as the conventions write it. */
const templateOf = (path: string): string => path.replace(/:([A-Za-z]+)/g, "{$1}")

/**
 * Prepares the telemetry of an operation; attributes are fixed here, so that a call adds numbers only.
 */
export const makeTelemetry = (operation: Pick<Operation, "name" | "method" | "path">, baseUrl: string): Telemetry => {
  const url = new URL(baseUrl)
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80)
  const template = templateOf(operation.path)
  const attributes = {
    "http.request.method": operation.method,
    "url.template": template,
    "server.address": url.hostname
  }
  const durationOf = (outcome: string) =>
    Metric.histogram("signalbox.call.duration", {
      description: "Duration of calls in milliseconds",
      attributes: { operation: operation.name, outcome },
      boundaries
    })
  const attempts = Metric.counter("signalbox.call.attempts", {
    description: "HTTP exchanges of calls",
    attributes: { operation: operation.name },
    incremental: true
  })
  const durations = new Map<string, Metric.Histogram<number>>()
  const report = (context: Context.Context<never>, durationMs: number, made: number, outcome: string) => {
    let duration = durations.get(outcome)
    if (duration === undefined) durations.set(outcome, (duration = durationOf(outcome)))
    duration.updateUnsafe(durationMs, context)
    attempts.updateUnsafe(made, context)
  }
  return {
    spanName: `${operation.method} ${template}`,
    spanAttributes: {
      ...attributes,
      "server.port": port,
      "url.scheme": url.protocol.slice(0, -1),
      "signalbox.operation": operation.name
    },
    succeeded: (context, durationMs, made) => report(context, durationMs, made, "success"),
    failed: (context, durationMs, made, reason) => report(context, durationMs, made, reason)
  }
}

/** Writes an attempt as an event of the span of its call. */
export const addAttempt = (span: Tracer.Span, attempt: Attempt, nanoseconds: bigint): void => {
  span.event("attempt", nanoseconds, {
    number: attempt.number,
    outcome: attempt.outcome,
    "duration.ms": attempt.durationMs,
    "delay.ms": attempt.delayMs,
    ...(attempt.status === undefined ? {} : { "http.response.status_code": attempt.status }),
    ...(attempt.repeatOf === undefined ? {} : { "repeat.of": attempt.repeatOf })
  })
}
