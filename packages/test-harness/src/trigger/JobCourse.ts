/**
 * The course of a job from start to finish: statuses and execution details with their times.
 */
import type { DetailRecord, JobProviderId, JobRecord, MessageDraft, StepRecord } from "../state/Records.ts"
import { waitMilliseconds } from "../state/Records.ts"
import { type FailureKind, failureCourse } from "./FailureKind.ts"

/** A job that has not started. */
export const pending = (at: number): JobRecord => ({ statuses: [{ at, status: "pending" }], details: [] })

/** A job that will not start. */
export const canceled = (job: JobRecord, at: number): JobRecord => ({
  ...job,
  statuses: [...job.statuses, { at, status: "canceled" }]
})

/** A job whose event was merged into another event's digest. */
export const mergedInto = (job: JobRecord, at: number): JobRecord => ({
  ...job,
  statuses: [...job.statuses, { at, status: "merged" }],
  details: [
    ...job.details,
    { at, status: "Success", source: "Internal", detail: "Event was merged into an open digest" }
  ]
})

/** A skipped job. */
export const skipped = (job: JobRecord, at: number, detail: string): JobRecord => ({
  ...job,
  statuses: [...job.statuses, { at, status: "skipped" }],
  details: [...job.details, { at, status: "Success", source: "Internal", detail }]
})

/** A digest or delay that has started. */
export const waiting = (job: JobRecord, at: number, step: StepRecord): JobRecord => ({
  ...job,
  statuses: [...job.statuses, { at, status: "delayed" }],
  details: [
    ...job.details,
    {
      at,
      status: "Pending",
      source: "Internal",
      detail: step.type === "digest" ? "Digesting events" : "Delay in progress"
    }
  ]
})

/** The end of a digest or delay. */
export const waited = (job: JobRecord, at: number, step: StepRecord): JobRecord => ({
  ...job,
  statuses: [...job.statuses, { at, status: "completed" }],
  details: [
    ...job.details,
    {
      at,
      status: "Success",
      source: "Internal",
      detail: step.type === "digest" ? "Digest completed" : "Delay completed"
    }
  ]
})

/** How a delivery ends. */
export interface Delivery {
  readonly providerId?: JobProviderId
  readonly details: ReadonlyArray<DetailRecord>
  readonly ok: boolean
  /** Time of the end. */
  readonly end: number
  readonly drafts?: ReadonlyArray<MessageDraft>
}

/** A job that sends, or calls a bridge. */
export const sending = (job: JobRecord, start: number, delivery: Delivery): JobRecord => {
  const provider = delivery.providerId === undefined ? {} : { providerId: delivery.providerId }
  return {
    ...job,
    ...provider,
    ...(delivery.drafts === undefined ? {} : { drafts: delivery.drafts }),
    statuses: [
      ...job.statuses,
      { at: start, status: "queued" },
      { at: start + 15, status: "running" },
      { at: delivery.end, status: delivery.ok ? "completed" : "failed" }
    ],
    details: [
      ...job.details,
      { at: start, status: "Queued", source: "Internal", detail: "Step queued", ...provider },
      { at: start + 15, status: "Pending", source: "Internal", detail: "Sending message", ...provider },
      ...delivery.details
    ]
  }
}

/** A delivery that works. */
export const delivered = (
  end: number,
  providerId: JobProviderId | undefined,
  drafts?: ReadonlyArray<MessageDraft>
): Delivery => ({
  ...(providerId === undefined ? {} : { providerId }),
  ok: true,
  end,
  ...(drafts === undefined ? {} : { drafts }),
  details: [
    {
      at: end,
      status: "Success",
      source: providerId === undefined || providerId === "service" ? "Internal" : "Webhook",
      detail: providerId === undefined ? "Step executed" : "Message sent",
      ...(providerId === undefined ? {} : { providerId })
    }
  ]
})

/** A delivery that fails, or recovers, in a named way. */
export const failing = (
  kind: FailureKind,
  start: number,
  providerId: JobProviderId,
  drafts: ReadonlyArray<MessageDraft> = []
): Delivery => {
  const course = failureCourse(kind, start, providerId)
  const end = start + course.takes
  if (course.recovered) {
    return {
      providerId,
      ok: true,
      end,
      drafts,
      details: [
        ...course.details,
        { at: end, status: "Success", source: "Webhook", detail: "Message sent", isRetry: true, providerId }
      ]
    }
  }
  const errorText = course.details.at(-1)?.detail ?? "Sending failed"
  // If the content failed, no message was created or stored.
  const left = ["content-not-generated", "bridge-failed", "no-active-integration"].includes(kind) ? [] : drafts
  return {
    ...(kind === "no-active-integration" ? {} : { providerId }),
    ok: false,
    end,
    details: course.details,
    drafts: left.map((draft) => Object.assign({ errorId: kind, errorText }, draft))
  }
}

/** A delivery that fails because the environment or the subscriber is incomplete. */
export const lacking = (
  end: number,
  details: ReadonlyArray<string>,
  source: DetailRecord["source"],
  providerId?: JobProviderId
): Delivery => ({
  ...(providerId === undefined ? {} : { providerId }),
  ok: false,
  end,
  details: details.map((detail) => ({
    at: end,
    status: "Failed",
    source,
    detail,
    ...(providerId === undefined ? {} : { providerId })
  }))
})

/** Length of a step's wait in milliseconds; 0 if unset. */
export const waitOf = (step: StepRecord): number => (step.wait === undefined ? 0 : waitMilliseconds(step.wait))
