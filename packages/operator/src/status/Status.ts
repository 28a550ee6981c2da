/**
 * The result of an event and of each of its jobs, derived from the execution details.
 *
 * Which steps failed is defined once, in `@signalbox/core/Records`. The job's own `status` is free text: it is shown
 * verbatim, and used as a hint where the details are inconclusive.
 */
import {
  type ActivityJob,
  type ActivityNotification,
  type ExecutionDetail,
  isFailure,
  isProgress,
  isSkip,
  stepState
} from "@signalbox/core/Records"
import { rowOf } from "../diagnosis/Catalogue.ts"
import { oncePer } from "../reading/OncePer.ts"

/** The kinds of result, from the one that most needs attention to the one that needs none. */
export const resultKinds = ["failed", "warning", "waiting", "queued", "unknown", "ok", "skipped"] as const

/** Kind of a result. */
export type ResultKind = (typeof resultKinds)[number]

/** The result of a job or of an event. */
export interface Result {
  readonly kind: ResultKind
  /** A label of at most nine characters, more specific than the kind (`DELAYED` and `RETRYING` are both waiting). */
  readonly word: string
}

/** The result of a job. */
export interface JobResult extends Result {
  /** The execution detail that determined the result; absent if the job's status did, or nothing. */
  readonly decidedBy?: ExecutionDetail
}

/** The result of an event. */
export interface EventResult extends Result {
  /** The job that determined the result; absent for an event without jobs. */
  readonly job?: ActivityJob
}

/** The status, and the type or the text, of a job or an execution detail that could not be read. */
export const unreadable = "unreadable"

const detailKinds: ReadonlyMap<string, ResultKind> = new Map([
  ["Success", "ok"],
  ["Warning", "warning"],
  ["Failed", "failed"],
  ["Pending", "waiting"],
  ["Queued", "queued"],
  ["ReadConfirmation", "ok"]
])

/**
 * The kind of one execution detail: that of its status, unless its text reports a skipped step or a failure. A status that
 * the document does not know is `unknown`.
 */
export const detailKind = (detail: ExecutionDetail): ResultKind => {
  if (isSkip(detail)) return "skipped"
  return isFailure(detail) ? "failed" : (detailKinds.get(detail.status) ?? "unknown")
}

/** The result that a job's own status suggests if its details are inconclusive. */
const hints: ReadonlyMap<string, Result> = new Map([
  ["completed", { kind: "ok", word: "ok" }],
  ["delayed", { kind: "waiting", word: "DELAYED" }],
  ["queued", { kind: "queued", word: "QUEUED" }],
  ["pending", { kind: "queued", word: "PENDING" }],
  ["running", { kind: "queued", word: "RUNNING" }]
])

const skipped: Result = { kind: "skipped", word: "skipped" }

/** Statuses of jobs that finished without doing their work; the details give the reason, with any status. */
const ended: ReadonlyMap<string, Result> = new Map([
  ["skipped", skipped],
  ["canceled", { kind: "skipped", word: "canceled" }],
  ["cancelled", { kind: "skipped", word: "canceled" }],
  ["merged", { kind: "skipped", word: "merged" }]
])

const wordsOfWaiting: ReadonlyMap<string, string> = new Map([
  ["digest", "DIGESTING"],
  ["delay", "DELAYED"],
  ["throttle", "THROTTLED"]
])

const underWay = (job: ActivityJob, last: ExecutionDetail): Result => {
  const word = wordsOfWaiting.get(job.type) ?? (rowOf(last.detail)?.kind === "waiting" ? "DELAYED" : undefined)
  if (word !== undefined) return { kind: "waiting", word }
  const hint = hints.get(job.status)
  if (hint?.kind === "waiting" || hint?.kind === "queued") return hint
  return { kind: "queued", word: last.status === "Pending" ? "PENDING" : "QUEUED" }
}

const warned: Result = { kind: "warning", word: "WARNING" }

const failed: Result = { kind: "failed", word: "FAILED" }

const computeJob = (job: ActivityJob): JobResult => {
  const { failures, isFailed, isRetrying, last, skip, warning } = stepState(job)
  const decidedBy = failures.at(-1)
  if (decidedBy !== undefined) {
    if (isFailed) return { ...failed, decidedBy }
    return isRetrying ? { kind: "waiting", word: "RETRYING", decidedBy } : { ...warned, decidedBy }
  }
  // A detail that could not be read may be a failure.
  if (job.status === unreadable || job.executionDetails.some(({ status }) => status === unreadable)) {
    return { kind: "unknown", word: unreadable }
  }
  if (isFailed) return failed
  const own = ended.get(job.status) ?? (skip?.status === "Failed" ? skipped : undefined)
  if (own !== undefined && skip !== undefined) return { ...own, decidedBy: skip }
  if (warning !== undefined) return { ...warned, decidedBy: warning }
  if (own !== undefined) return last === undefined ? own : { ...own, decidedBy: last }
  const hint = hints.get(job.status)
  if (last === undefined) return hint ?? { kind: "unknown", word: "unknown" }
  if (hint?.kind === "waiting" || (isProgress(last) && hint?.kind !== "ok")) {
    return { ...underWay(job, last), decidedBy: last }
  }
  return { kind: "ok", word: "ok", decidedBy: last }
}

const computeEvent = (event: ActivityNotification): EventResult => {
  const jobs = event.jobs ?? []
  let worst: { readonly job: ActivityJob; readonly result: JobResult } | undefined
  for (const job of jobs) {
    const result = jobResult(job)
    if (worst === undefined || resultKinds.indexOf(result.kind) < resultKinds.indexOf(worst.result.kind)) {
      worst = { job, result }
    }
  }
  if (worst === undefined) return { kind: "unknown", word: "no jobs" }
  const { kind, word } = worst.result
  return { kind, word, job: worst.job }
}

/** Returns the result of a job. */
export const jobResult: (job: ActivityJob) => JobResult = oncePer(computeJob)

/** Returns the result of an event: that of the job that most needs attention. */
export const eventResult: (event: ActivityNotification) => EventResult = oncePer(computeEvent)

/** Whether it is unknown if the event failed, because a part of it could not be read and no other part failed. */
export const isUnreadable = (event: ActivityNotification): boolean =>
  eventResult(event).kind !== "failed" && (event.jobs ?? []).some((job) => jobResult(job).word === unreadable)

/** Whether the result can no longer change by itself, so that reading the event again is pointless. */
export const isFinal = (result: Result): boolean => result.kind !== "waiting" && result.kind !== "queued"
