/**
 * Rules about what a client says about its requests: status, request id, key, attempts and telemetry. A client that does
 * not report a fact cannot break its rule.
 */
import type { JournalEntry } from "../../journal/JournalEntry.ts"
import type { ReportedAttempt } from "../CallResult.ts"
import { isRejected, isWhole, wasRefused } from "../../verdicts/Conclusion.ts"
import { isWrite } from "../CheckedCall.ts"
import type { CheckRun } from "../CheckRun.ts"
import { type Breach, ofCalls, rulesOf } from "./Rule.ts"

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
  ofCalls(({ requests, result }, run) => {
    const attempts = result?.attempts ?? []
    if (attempts.length !== requests.length) return undefined
    for (const [index, attempt] of attempts.entries()) {
      const request = requests[index]
      const message = request === undefined ? undefined : wrong(attempt, request, run.toleranceMs)
      if (message !== undefined) return `attempt ${index + 1} ${message}`
    }
    return undefined
  })

/** The checks of the facts, by their names in the report. */
const factChecks: Readonly<Record<string, (run: CheckRun) => ReadonlyArray<Breach>>> = {
  status: ofCalls(({ requests, result }) => wrongFact(requests, result?.status, statusOf)),
  requestId: ofCalls(({ requests, result }) => wrongFact(requests, result?.requestId, requestIdOf)),
  idempotencyKey: ofCalls(({ requests, result }) => {
    const reported = result?.idempotencyKey
    const keys = requests.map(({ idempotencyKey }) => idempotencyKey)
    return reported === undefined || keys.every((key) => (key ?? null) === reported)
      ? undefined
      : `the client reported ${reported}, its requests had: ${[...new Set(keys)].join(", ") || "none"}`
  }),
  attempts: ofCalls(({ requests: { length }, result }) => {
    const attempts = result?.attempts
    return attempts === undefined || attempts.length === length
      ? undefined
      : `the client reported ${attempts.length} attempts, the service received ${length} requests`
  }),
  "attempts.status": ofAttempts((attempt, request) => {
    if (!isWhole(request)) return undefined
    const { requestId = requestIdOf(request), status = statusOf(request) } = attempt
    if (status !== statusOf(request)) return `has the status ${status}, the service sent ${statusOf(request)}`
    return requestId === requestIdOf(request)
      ? undefined
      : `has the request id ${requestId}, the service sent ${requestIdOf(request)}`
  }),
  "attempts.durationMs": ofAttempts(({ durationMs }, request, toleranceMs) => {
    if (durationMs === undefined || request.endedAt === undefined || !isWhole(request)) return undefined
    const took = request.endedAt - request.at
    // Clients round.
    return Math.abs(durationMs - took) <= toleranceMs + 0.5
      ? undefined
      : `has a duration of ${durationMs} ms, its request took ${took} ms`
  }),
  telemetry: ofCalls(({ requests, result }) => {
    const { telemetry } = result ?? {}
    if (telemetry === undefined || requests.length === 0) return undefined
    const missing = [...(telemetry.spans === 0 ? ["span"] : []), ...(telemetry.metrics === 0 ? ["metric"] : [])]
    return missing.length === 0 ? undefined : `it has no ${missing.join(" and no ")}`
  }),
  drift: ofCalls(({ requests, result }) => {
    const { drift, outcome } = result ?? {}
    const drifted = requests.at(-1)?.faults.some((fault) => fault.startsWith("unknown-enum-value"))
    return outcome === "ok" && drift === 0 && drifted === true
      ? "the response had an unknown enum value, and the client reported no difference"
      : undefined
  }),
  mayHaveBeenApplied: ofCalls(({ call, requests, result }) =>
    result?.mayHaveBeenApplied === true && (!isWrite(call) || requests.every(isRejected))
      ? "the client reported that the change may have been applied, but no request can have been"
      : undefined
  ),
  delivery: ofCalls(({ requests, result }) =>
    result?.delivery === "unknown" && requests.length > 0 && requests.every(wasRefused)
      ? "the client reported an unknown delivery, but every connection was refused"
      : undefined
  )
}

export const factRules = rulesOf({
  "wrong-fact": {
    summary:
      "Each fact that the client reports about a call is true: status, ids, key, attempts, drift, telemetry, doubt",
    check: (run) =>
      Object.entries(factChecks).flatMap(([fact, check]) =>
        check(run).map((breach) => Object.assign(breach, { message: `${breach.message} (${fact})` }))
      )
  }
})
