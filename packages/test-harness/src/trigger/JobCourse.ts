/**
 * The course of a job from start to finish: statuses and execution details with their times.
 */
import type { EventRecord, JobProviderId, JobRecord, StatusRecord, StepRecord } from "../state/Records.ts"
import { waitMilliseconds } from "../state/Records.ts"
import type { JsonObject } from "@signalbox/core/internal/reading/JsonObject"
import type { Course } from "./Attempt.ts"
import { type Line, line, queued, timed } from "./ServiceDetail.ts"

export const pending = (at: number, providerId?: JobProviderId): JobRecord => ({
  ...(providerId === undefined ? {} : { providerId }),
  statuses: [{ at, status: "pending" }],
  details: []
})

const changed = (
  job: JobRecord,
  at: number,
  status: StatusRecord["status"],
  ...lines: ReadonlyArray<Line>
): JobRecord => ({
  ...job,
  statuses: [...job.statuses, { at, status }],
  details: [...job.details, ...timed(lines, at, at, job.providerId)]
})

/** A job that does not start because an earlier one failed. */
export const canceled = (job: JobRecord, at: number): JobRecord =>
  changed(job, at, "canceled", line("previousStepFailed"))

/** A job that starts and does nothing more, because the event continues in another event's digest. */
export const merged = (job: JobRecord, at: number): JobRecord =>
  changed(job, at, "merged", line("queued"), line("merged"))

/** A job that does not start because the event continues in another event's digest. */
export const mergedLater = (job: JobRecord, at: number): JobRecord => changed(job, at, "merged")

export const conditionsNotMet = (job: JobRecord, at: number, filter: object): JobRecord =>
  changed(job, at, "canceled", line("queued"), line("conditionsNotMet", { filter }))

/** A throttle that lets an event pass. */
export const passed = (job: JobRecord, at: number): JobRecord => changed(job, at, "completed", line("queued"))

/** A throttle that stops an event. */
export const throttled = (job: JobRecord, at: number, facts: object): JobRecord =>
  changed(job, at, "skipped", line("queued"), line("throttled", { shouldSkip: true, ...facts }))

/** A job that does not start because a throttle stopped the event. */
export const throttledLater = (job: JobRecord, at: number): JobRecord => changed(job, at, "skipped")

/** A digest or delay that has started. */
export const waiting = (job: JobRecord, at: number, step: StepRecord): JobRecord =>
  changed(
    job,
    at,
    "delayed",
    line("queued"),
    line(step.type === "digest" ? "digesting" : "delaying", { delay: waitOf(step) })
  )

/** The end of a digest or delay. */
export const waited = (job: JobRecord, at: number, step: StepRecord): JobRecord =>
  changed(job, at, "completed", step.type === "digest" ? line("digested", job.digested ?? []) : line("delayed"))

export const collecting = (job: JobRecord, payloads: ReadonlyArray<JsonObject>): JobRecord => ({
  ...job,
  digested: payloads
})

export const sending = (job: JobRecord, event: EventRecord, start: number, end: number, course: Course): JobRecord => {
  const { drafts, lines, outcome, providerId = job.providerId } = course
  return {
    ...job,
    ...(providerId === undefined ? {} : { providerId }),
    ...(drafts === undefined ? {} : { drafts }),
    statuses: [
      ...job.statuses,
      { at: start, status: "queued" },
      { at: start + 15, status: "running" },
      { at: end, status: outcome }
    ],
    details: [
      ...job.details,
      ...timed([queued(event)], start, start, providerId),
      ...timed(lines, start, end, providerId)
    ]
  }
}

/** Length of a step's wait in milliseconds; 0 if unset. */
export const waitOf = (step: StepRecord): number => (step.wait === undefined ? 0 : waitMilliseconds(step.wait))
