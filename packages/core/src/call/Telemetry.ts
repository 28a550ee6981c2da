import type { CallSpan, SpanOfCalls } from "./CallSpan.ts"
import type { Attempt } from "../errors/Attempt.ts"
import { routeOf } from "../contract/PathTemplate.ts"
import type { CallableOperation } from "./CallableOperation.ts"
import { defined } from "../errors/Defined.ts"

/** Prepares the span of the calls of one operation. */
export const spanOf = (
  operation: Pick<CallableOperation<never, unknown>, "name" | "method" | "route">,
  baseUrl: string
): SpanOfCalls => {
  const { hostname, port, protocol } = new URL(baseUrl)
  const template = routeOf(operation.route)
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
export const addAttempt = (span: CallSpan, attempt: Attempt, nanoseconds: bigint): void => {
  span.event("signalbox.attempt", nanoseconds, {
    "signalbox.attempt.number": attempt.number,
    "signalbox.attempt.outcome": attempt.outcome,
    "signalbox.attempt.duration_ms": attempt.durationMs,
    "signalbox.attempt.delay_ms": attempt.delayMs,
    ...defined({ "http.response.status_code": attempt.status, "signalbox.attempt.retry_reason": attempt.retryReason })
  })
}

/** Writes how a call ended: `success`, or the tag of the reason for which it failed. */
export const addEnd = (span: CallSpan, outcome: string, attempts: ReadonlyArray<Attempt>): void => {
  const status = attempts.at(-1)?.status
  if (outcome !== "success") {
    span.attribute("error.type", status === undefined ? outcome : String(status))
    span.attribute("signalbox.reason", outcome)
  }
  if (status !== undefined) span.attribute("http.response.status_code", status)
  if (attempts.length > 1) span.attribute("http.request.resend_count", attempts.length - 1)
}
