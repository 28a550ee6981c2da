/**
 * Triggered events with their jobs, as the service sends them.
 *
 * **When to use**: for the records of `Events.list`: the workflow that was triggered, the subscriber, and the outcome
 * of every step.
 *
 * @since 0.1.0
 */
export type {
  DigestTimedConfig,
  DigestMetadata,
  ExecutionDetailStatus,
  ExecutionDetail,
  ActivityStep,
  ActivityJob,
  ActivitySubscriber,
  ActivityTemplate,
  ActivityTopic,
  Severity,
  ActivityNotification
} from "./Records.ts"
import { executionDetailStatuses, isOneOf, severities } from "../contract/KnownValues.ts"
import type { ActivityJob, ActivityNotification, ExecutionDetail } from "./Records.ts"

/**
 * Whether a status is one of those that this version knows (API document: States and transitions).
 *
 * @example
 * ```ts
 * import { type ExecutionDetailStatus, isKnownExecutionDetailStatus } from "@signalbox/core/Activity"
 *
 * const marks = { Success: "✓", Failed: "✗", Warning: "!", Pending: "-", Queued: "-", ReadConfirmation: "✓" }
 * const markOf = (status: ExecutionDetailStatus): string =>
 *   isKnownExecutionDetailStatus(status) ? marks[status] : "?"
 * markOf("Failed") // => "✗"
 * ```
 */
export const isKnownExecutionDetailStatus = (value: unknown): value is (typeof executionDetailStatuses)[number] =>
  isOneOf(executionDetailStatuses, value)

/** Whether a severity is one of those that this version knows (API document: Resources, ActivityNotification). */
export const isKnownSeverity = (value: unknown): value is (typeof severities)[number] => isOneOf(severities, value)

/** A job of an event that failed, and the execution detail that reports it. */
export interface Failure {
  readonly job: ActivityJob
  readonly detail: ExecutionDetail
}

/**
 * The failures of an event: its execution details with the status `Failed`, each with its job. The `status` of a job is
 * free text and does not decide (API document: States and transitions).
 *
 * @example
 * ```ts
 * import { type ActivityNotification, failures } from "@signalbox/core/Activity"
 *
 * const linesOf = (event: ActivityNotification) =>
 *   failures(event).map(({ detail, job }) => `${job.type}: ${detail.detail}`)
 * ```
 */
export const failures = ({ jobs = [] }: ActivityNotification): ReadonlyArray<Failure> =>
  jobs.flatMap((job) =>
    job.executionDetails.filter(({ status }) => status === "Failed").map((detail) => ({ job, detail }))
  )

/** Whether an event has a failure; see {@link failures}. */
export const isFailed = (event: ActivityNotification): boolean => failures(event).length > 0
