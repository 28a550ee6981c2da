import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { CallMetrics } from "./CallMetrics.ts"
import { Drift } from "../policies/Drift.ts"
import { safePathOf } from "./ErrorBody.ts"
import { defined } from "../errors/Defined.ts"
import type { CallFailure } from "./CallFailure.ts"
import type { CallRecord } from "./CallRecord.ts"
import { isReplay } from "./Classify.ts"
import { type DriftEntry, type DriftReport, makeUnreadable } from "../reading/DriftEntry.ts"
import type { Advise } from "../errors/Advice.ts"
import type { ErrorFacts } from "../errors/Errors.ts"
import type { Read } from "./ReadResponse.ts"
import { reportedLimit } from "./RateLimitHeaders.ts"
import { addEnd } from "./Telemetry.ts"

/** The identifiers of the last exchange. */
const lastExchangeOf = ({ attempts, prepared }: CallRecord) => {
  const last = attempts.at(-1)
  return { idempotencyKey: prepared?.key, requestId: last?.requestId, status: last?.status }
}

/** Records the end of a call in the metrics and the span, and returns its duration in milliseconds. */
const end = ({ attempts, monotonicMs, operation, policies, span, started }: CallRecord, outcome: string, drift = 0) => {
  const durationMs = Math.round(monotonicMs() - started)
  const metrics = Context.get(policies, CallMetrics)
  metrics?.record({ operation, outcome, durationMs, attempts: attempts.length, drift }, policies)
  if (span !== undefined) addEnd(span, outcome, attempts)
  return durationMs
}

/** Finishes a failed call and returns the facts of its error. */
export const errorFactsOf = <R extends { readonly _tag: string; readonly message: string }>(
  record: CallRecord,
  { note = "", reason }: CallFailure<R>,
  advise: Advise<R>,
  isUnsafeToRetry: boolean
): ErrorFacts<R> => {
  end(record, reason._tag)
  const { attempts, mayHaveArrived, operation } = record
  const count = attempts.length > 1 ? ` after ${attempts.length} attempts` : ""
  const advised = advise(reason, { attempts, mayHaveArrived, isUnsafeToRetry })
  // The service's message can end its sentence, or be cut.
  const why = /[…!?]$/.test(reason.message) ? reason.message : reason.message.replace(/\.*$/, ".")
  const message = `${operation} failed${count}: ${why}${note} ${advised.advice}`
  return { message, ...advised, reason, attempts, ...defined(lastExchangeOf(record)) }
}

/** Drift without secrets: its names and values come from the service, which can echo a secret of the request. */
const safeDrift = (entry: DriftEntry, remove: (text: string) => string): DriftEntry => {
  const path = remove(entry.path)
  return entry.kind === "unknown-enum-value" && typeof entry.value === "string"
    ? { ...entry, path, value: remove(entry.value) }
    : { ...entry, path }
}

/** Finishes a call with the value of its response. */
export const succeed = <A>(record: CallRecord, { drift, driftCount, headers, status, unreadable, value }: Read<A>) => {
  const durationMs = end(record, "success", driftCount)
  const { attempts, clock, observer, operation, prepared } = record
  if (observer?.onCall === undefined && driftCount === 0) return Effect.succeed(value)
  const secrets = prepared?.secrets() ?? []
  const remove = (text: string) => safePathOf(text, secrets)
  const entries = drift.map((entry) => safeDrift(entry, remove))
  const removed = unreadable.map(({ path, raw, rule }) => makeUnreadable(remove(path), rule, raw))
  observer?.onCall?.({
    operation,
    attempts,
    headers,
    replayed: isReplay(headers),
    drift: entries,
    driftCount,
    unreadable: removed,
    durationMs,
    ...defined({
      ...lastExchangeOf(record),
      rateLimit: reportedLimit(headers, clock.currentTimeMillisUnsafe())?.snapshot
    }),
    status
  })
  if (entries.length === 0) return Effect.succeed(value)
  return Effect.as(reportDrift(record, { operation, entries, count: driftCount, unreadable: removed }), value)
}

const reportDrift = ({ clock, policies, span }: CallRecord, report: DriftReport) => {
  if (span !== undefined) {
    for (const { kind, path } of report.entries) {
      span.event("signalbox.drift", clock.currentTimeNanosUnsafe(), {
        "signalbox.drift.kind": kind,
        "signalbox.drift.path": path
      })
    }
  }
  return Effect.provideContext(Context.get(policies, Drift).report(report), policies)
}
