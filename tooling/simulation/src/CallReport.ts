/**
 * The report of a client about a call, for the rules of a check.
 */
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import type { CallInfo } from "@signalbox/core/CallInfo"
import type { SignalboxError } from "@signalbox/core/Errors"
import type { CallResult, ReportedRecord } from "@signalbox/test-harness"
import type { CheckRun } from "@signalbox/test-harness/internal/check/CheckRun"
import type { Recording } from "./Recorder.ts"

/** The outcome of a call as its caller saw it. */
export type CallOutcome = (
  | { readonly _tag: "Value"; readonly value: unknown }
  | { readonly _tag: "Error"; readonly error: SignalboxError }
  /** The caller aborted, as planned or because the scenario was over. */
  | { readonly _tag: "Interrupted" }
  | { readonly _tag: "Defect"; readonly cause: Cause.Cause<unknown> }
) & { readonly info?: CallInfo | undefined }

/** The outcome of a call. */
export const outcomeOf = (exit: Exit.Exit<unknown, SignalboxError>, { infos }: Recording): CallOutcome => {
  if (Exit.isSuccess(exit)) return { _tag: "Value", value: exit.value, info: infos.at(-1) }
  if (Cause.hasInterruptsOnly(exit.cause)) return { _tag: "Interrupted" }
  const error = Cause.findErrorOption(exit.cause)
  return error._tag === "Some" ? { _tag: "Error", error: error.value } : { _tag: "Defect", cause: exit.cause }
}

/** The records of a value: a page, a list or one record. */
const recordsOf = (value: unknown): ReadonlyArray<ReportedRecord> => {
  const data: unknown = Reflect.get(Object(value), "data") ?? value
  // The operation of a call decides the type of its value.
  return (Array.isArray(data) ? data : [data]) as ReadonlyArray<ReportedRecord>
}

/** The facts that an error has about its call. */
const factsOf = (error: SignalboxError): Partial<CallResult> => ({
  status: error.status ?? null,
  requestId: error.requestId ?? null,
  idempotencyKey: error.idempotencyKey ?? null,
  mayHaveBeenApplied: error.mayHaveBeenApplied,
  ...("accepted" in error.reason ? { accepted: error.reason.accepted } : {}),
  ...("delivery" in error.reason ? { delivery: error.reason.delivery } : {})
})

/** The report about a call with this outcome. */
export const reportOf = (outcome: CallOutcome, recording: Recording): CallResult => {
  // An aborted call has neither an error nor metrics.
  if (outcome._tag === "Interrupted") return { outcome: "unknown" }
  if (outcome._tag === "Defect") return { outcome: "unknown", error: Cause.squash(outcome.cause) }
  const { attempts } = outcome._tag === "Error" ? outcome.error : recording
  const facts: Partial<CallResult> = {
    attempts: attempts.map(({ durationMs, requestId = null, status = null }) => ({ durationMs, requestId, status })),
    telemetry: { spans: recording.spans.length, metrics: recording.metrics.length }
  }
  if (outcome._tag === "Value") {
    const drift = recording.drift.flatMap(({ entries }) => entries).length
    // Unreadable records are not in the value, and a broken client may succeed without one.
    const isWhole = outcome.value !== undefined && (outcome.info?.unreadable.length ?? 0) === 0
    const records = isWhole ? { records: recordsOf(outcome.value) } : {}
    return { outcome: "ok", ...facts, ...records, drift }
  }
  const { error } = outcome
  return { outcome: error.mayHaveBeenApplied ? "unknown" : "failed", error, ...facts, ...factsOf(error) }
}

/** A run of a check on virtual time, of a service that may differ from its contract. */
export const checkRunOf = (run: Pick<CheckRun, "apiKey" | "calls" | "records"> & Partial<CheckRun>): CheckRun => ({
  isConcurrent: false,
  unmatchedRequests: 0,
  output: "",
  vendor: "service",
  timersLeft: 0,
  toleranceMs: 0,
  keepsContract: false,
  timeline: "",
  ...run
})
