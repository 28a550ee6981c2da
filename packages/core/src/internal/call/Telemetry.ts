import type * as Tracer from "effect/Tracer"
import type { Attempt } from "../../Attempt.ts"
import type { Operation } from "../../Operation.ts"

/** The span of the calls of one operation; attributes are fixed here, so that a call adds numbers only. */
export interface SpanOfCalls {
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/** A route with one value for all subscribers, as the conventions write it. */
const templateOf = (path: string): string => path.replace(/:([A-Za-z]+)/g, "{$1}")

/** Prepares the span of the calls of one operation. */
export const spanOf = (operation: Pick<Operation, "name" | "method" | "path">, baseUrl: string): SpanOfCalls => {
  const { hostname, port, protocol } = new URL(baseUrl)
  const template = templateOf(operation.path)
  return {
    name: `${operation.method} ${template}`,
    attributes: {
      "http.request.method": operation.method,
      "url.template": template,
      "server.address": hostname,
      "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
      "url.scheme": protocol.slice(0, -1),
      "signalbox.operation": operation.name
    }
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
