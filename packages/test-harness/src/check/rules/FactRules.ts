/**
 * Rules about what a client says about its requests: status, request id, key, attempts and telemetry. A client that does
 * not report a fact cannot break its rule.
 */
import type { JournalEntry } from "../../journal/JournalEntry.ts"
import type { ReportedAttempt } from "../CallResult.ts"
import { requestsOf } from "../CheckRun.ts"
import { isWhole } from "./Outcome.ts"
import { ofCalls, type Rules } from "./Rule.ts"

const statusOf = ({ outcome }: JournalEntry): number | null => ("status" in outcome ? outcome.status : null)

const requestIdOf = ({ responseHeaders }: JournalEntry): string | null => responseHeaders["x-request-id"] ?? null

/**
 * Checks a fact of the last response, which the client reports for the call. `null` is wrong after a complete response
 * that has it, any value that no response of the call has is wrong too.
 */
const wrongFact = <Fact extends string | number>(
  requests: ReadonlyArray<JournalEntry>,
  reported: Fact | null | undefined,
  factOf: (entry: JournalEntry) => Fact | null
): string | undefined => {
  if (reported === undefined) return undefined
  const last = requests.at(-1)
  const known = requests.map(factOf)
  const isRight =
    reported === null ? last === undefined || !isWhole(last) || factOf(last) === null : known.includes(reported)
  return isRight ? undefined : `the client reported ${reported}, the responses had: ${known.join(", ") || "none"}`
}

/** Checks each attempt that the client reports against its request. */
const ofAttempts = (
  wrong: (attempt: ReportedAttempt, request: JournalEntry, toleranceMs: number) => string | undefined
) =>
  ofCalls((made, run) => {
    const requests = requestsOf(run, made)
    const attempts = made.result?.attempts ?? []
    if (attempts.length !== requests.length) return undefined
    for (const [index, attempt] of attempts.entries()) {
      const request = requests[index]
      const message = request === undefined ? undefined : wrong(attempt, request, run.toleranceMs)
      if (message !== undefined) return `attempt ${index + 1} ${message}`
    }
    return undefined
  })

/** Rules about facts. */
export const factRules = {
  "wrong-status": {
    summary: "The status that the client reports is that of a response to the call",
    check: ofCalls((made, run) => wrongFact(requestsOf(run, made), made.result?.status, statusOf))
  },
  "wrong-request-id": {
    summary: "The request id that the client reports is that of a response to the call",
    check: ofCalls((made, run) => wrongFact(requestsOf(run, made), made.result?.requestId, requestIdOf))
  },
  "wrong-key": {
    summary: "The idempotency key that the client reports is that of its requests",
    check: ofCalls((made, run) => {
      const reported = made.result?.idempotencyKey
      const keys = requestsOf(run, made).map(({ idempotencyKey }) => idempotencyKey)
      return reported === undefined || keys.every((key) => (key ?? null) === reported)
        ? undefined
        : `the client reported ${reported}, its requests had: ${[...new Set(keys)].join(", ") || "none"}`
    })
  },
  "wrong-attempts": {
    summary: "The client reports one attempt for each request",
    check: ofCalls((made, run) => {
      const { length } = requestsOf(run, made)
      const attempts = made.result?.attempts
      return attempts === undefined || attempts.length === length
        ? undefined
        : `the client reported ${attempts.length} attempts, the service received ${length} requests`
    })
  },
  "wrong-attempt-status": {
    summary: "An attempt has the status and the request id of its response",
    check: ofAttempts((attempt, request) => {
      if (!isWhole(request)) return undefined
      const { requestId = requestIdOf(request), status = statusOf(request) } = attempt
      if (status !== statusOf(request)) return `has the status ${status}, the service sent ${statusOf(request)}`
      return requestId === requestIdOf(request)
        ? undefined
        : `has the request id ${requestId}, the service sent ${requestIdOf(request)}`
    })
  },
  "wrong-duration": {
    summary: "An attempt has the duration of its request",
    check: ofAttempts(({ durationMs }, request, toleranceMs) => {
      if (durationMs === undefined || request.endedAt === undefined || !isWhole(request)) return undefined
      const took = request.endedAt - request.at
      // Clients round.
      return Math.abs(durationMs - took) <= toleranceMs + 0.5
        ? undefined
        : `has a duration of ${durationMs} ms, its request took ${took} ms`
    })
  },
  "no-telemetry": {
    summary: "A call of a client that reports its telemetry has a span and a metric",
    check: ofCalls((made, run) => {
      const { telemetry } = made.result ?? {}
      if (telemetry === undefined || requestsOf(run, made).length === 0) return undefined
      const missing = [...(telemetry.spans === 0 ? ["span"] : []), ...(telemetry.metrics === 0 ? ["metric"] : [])]
      return missing.length === 0 ? undefined : `it has no ${missing.join(" and no ")}`
    })
  }
} as const satisfies Rules
