/**
 * What became of an event and of each of its jobs, told from the execution details.
 *
 * A failure is an execution detail with status `Failed`. The job's own `status` is free text: it is shown as it came, and
 * is a hint only where the details leave a question open.
 */
import type { ActivityJob, ActivityNotification, ExecutionDetail } from "@signalbox/core/Activity"

/** The kinds of result, from the one that needs a person most to the one that needs none. */
export const resultKinds = ["failed", "warning", "waiting", "queued", "unknown", "ok", "skipped"] as const

/** Kind of a result. */
export type ResultKind = (typeof resultKinds)[number]

/** What became of a job, or of an event as a whole. */
export interface Result {
  readonly kind: ResultKind
  /** At most nine characters: the word for it, finer than the kind (`DELAYED` and `RETRYING` are both waiting). */
  readonly word: string
}

/** What became of a job. */
export interface JobResult extends Result {
  /** The execution detail that decided; absent where the job's status or nothing did. */
  readonly decidedBy?: ExecutionDetail
}

/** What became of an event. */
export interface EventResult extends Result {
  /** The job that decided; absent for an event without jobs. */
  readonly job?: ActivityJob
  /** The first job that failed. */
  readonly failedJob?: ActivityJob
}

/** The execution details of a job, oldest first; those without a time stay where the service put them. */
export const inOrder = (job: ActivityJob): ReadonlyArray<ExecutionDetail> => {
  const timed = job.executionDetails.map((detail, place) => ({ detail, place, at: Date.parse(detail.createdAt ?? "") }))
  return timed.some(({ at }) => Number.isNaN(at))
    ? job.executionDetails
    : timed.sort((a, b) => a.at - b.at || a.place - b.place).map(({ detail }) => detail)
}

const isSuccess = (detail: ExecutionDetail): boolean =>
  detail.status === "Success" || detail.status === "ReadConfirmation"

const isProgress = (detail: ExecutionDetail): boolean => detail.status === "Pending" || detail.status === "Queued"

/**
 * Whether a later repeat made the trouble at `place` good.
 *
 * A success without any sign of a repeat does not: a chat step that fails for one provider and succeeds for another has
 * failed for the first.
 */
const isRecovered = (details: ReadonlyArray<ExecutionDetail>, place: number): boolean => {
  let repeated = false
  for (const detail of details.slice(place + 1)) {
    repeated ||= detail.isRetry
    if (repeated && isSuccess(detail)) return true
  }
  return false
}

const trouble = (details: ReadonlyArray<ExecutionDetail>, status: "Failed" | "Warning"): number =>
  details.findLastIndex((detail, place) => detail.status === status && !isRecovered(details, place))

const isRetrying = (details: ReadonlyArray<ExecutionDetail>): boolean => {
  const last = details.at(-1)
  return last !== undefined && last.isRetry && isProgress(last)
}

/** What a job whose details decide nothing may say about itself in its own status. */
const hints: ReadonlyMap<string, Result> = new Map([
  ["completed", { kind: "ok", word: "ok" }],
  ["failed", { kind: "failed", word: "FAILED" }],
  ["delayed", { kind: "waiting", word: "DELAYED" }],
  ["queued", { kind: "queued", word: "QUEUED" }],
  ["pending", { kind: "queued", word: "PENDING" }],
  ["running", { kind: "queued", word: "RUNNING" }]
])

/** Jobs that ended without doing their work; their details say why and may well be a `Success`. */
const ended: ReadonlyMap<string, Result> = new Map([
  ["skipped", { kind: "skipped", word: "skipped" }],
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
  const word = wordsOfWaiting.get(job.type)
  if (word !== undefined) return { kind: "waiting", word }
  const hint = hints.get(job.status)
  if (hint?.kind === "waiting" || hint?.kind === "queued") return hint
  return { kind: "queued", word: last.status === "Pending" ? "PENDING" : "QUEUED" }
}

const computeJob = (job: ActivityJob): JobResult => {
  const details = inOrder(job)
  const failedAt = trouble(details, "Failed")
  const failure = details[failedAt]
  if (failure !== undefined) {
    return isRetrying(details.slice(failedAt))
      ? { kind: "waiting", word: "RETRYING", decidedBy: failure }
      : { kind: "failed", word: "FAILED", decidedBy: failure }
  }
  const warning = details[trouble(details, "Warning")]
  if (warning !== undefined) return { kind: "warning", word: "WARNING", decidedBy: warning }
  const last = details.findLast((detail) => isSuccess(detail) || isProgress(detail))
  const own = ended.get(job.status)
  if (own !== undefined) return last === undefined ? own : { ...own, decidedBy: last }
  if (last === undefined) return hints.get(job.status) ?? { kind: "unknown", word: "unknown" }
  const hint = hints.get(job.status)
  if (isProgress(last) && hint?.kind !== "ok") return { ...underWay(job, last), decidedBy: last }
  if (hint?.kind === "waiting") return { ...underWay(job, last), decidedBy: last }
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
  return kind === "failed" ? { kind, word, job: worst.job, failedJob: worst.job } : { kind, word, job: worst.job }
}

// Records are immutable and lists are long: each is walked once, however often its row is drawn.
const jobs = new WeakMap<ActivityJob, JobResult>()
const events = new WeakMap<ActivityNotification, EventResult>()

/** What became of a job. */
export const jobResult = (job: ActivityJob): JobResult => {
  const known = jobs.get(job)
  if (known !== undefined) return known
  const result = computeJob(job)
  jobs.set(job, result)
  return result
}

/** What became of an event: the result of the job that needs a person most. */
export const eventResult = (event: ActivityNotification): EventResult => {
  const known = events.get(event)
  if (known !== undefined) return known
  const result = computeEvent(event)
  events.set(event, result)
  return result
}

/** Whether nothing more happens by itself, so that reading the event again is of no use. */
export const isFinal = (result: Result): boolean => result.kind !== "waiting" && result.kind !== "queued"
