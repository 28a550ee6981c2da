/**
 * Triggered events with their jobs, as the service sends them.
 *
 * **When to use**: for the records of `Events.list`: what was triggered, for whom, and the outcome of every step.
 *
 * @since 0.1.0
 */
import {
  type digestTypes,
  type executionDetailSources,
  executionDetailStatuses,
  isOneOf,
  type Open,
  severities,
  type workflowOrigins
} from "../contract/KnownValues.ts"
import type { JobType } from "./Channel.ts"
import type { NotificationTrigger } from "./NotificationTrigger.ts"
import type { JobProviderId } from "./Provider.ts"
import type { StepFilter } from "./StepFilter.ts"
import type { MonthlyType, Ordinal, OrdinalValue, TimeUnit, WeekDay } from "./Timing.ts"

/** When in a day, week or month a job's digest ends (API document: Resources, DigestTimedConfig). */
export interface DigestTimedConfig {
  /** Time of day. */
  readonly atTime?: string
  /** Days of the week. */
  readonly weekDays?: ReadonlyArray<WeekDay>
  /** Days of the month, as numbers. */
  readonly monthDays?: ReadonlyArray<number>
  /** Which one in the month. */
  readonly ordinal?: Ordinal
  /** What `ordinal` counts. */
  readonly ordinalValue?: OrdinalValue
  /** Whether the month is described by days or by an ordinal. */
  readonly monthlyType?: MonthlyType
  /** Cron expression of the times. */
  readonly cronExpression?: string
  /** Date until which the times apply. */
  readonly untilDate?: string
}

/** The digest of a job with the events it collected (API document: Resources, ActivityJob). */
export interface DigestMetadata {
  /** Shape of the digest. */
  readonly type: Open<typeof digestTypes>
  /** Key by which events are digested together. */
  readonly digestKey?: string
  /** How long the digest collects, in `unit`. */
  readonly amount?: number
  /** Unit of `amount`. */
  readonly unit?: TimeUnit
  /** Events that were collected, as free-form objects; `null` for one that was triggered without a payload. */
  readonly events?: ReadonlyArray<{ readonly [key: string]: unknown } | null>
  /** Whether the digest backs off. */
  readonly backoff?: boolean
  /** How long it backs off, in `backoffUnit`. */
  readonly backoffAmount?: number
  /** Unit of `backoffAmount`. */
  readonly backoffUnit?: TimeUnit
  /** Whether a running digest is updated. */
  readonly updateMode?: boolean
  /** The set times of a timed digest. */
  readonly timed?: DigestTimedConfig
}

/**
 * State that an execution detail reports; `Failed` is how a failure of a job shows (API document: States and
 * transitions).
 */
export type ExecutionDetailStatus = (typeof executionDetailStatuses)[number] | (string & {})

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

/** One thing that happened while a job ran (API document: Resources, ActivityJob). */
export interface ExecutionDetail {
  /** Internal identifier of the execution detail. */
  readonly _id: string
  /** Creation time. */
  readonly createdAt?: string
  /** State that is reported; `Failed` is how a failure of a job shows. */
  readonly status: ExecutionDetailStatus
  /** What happened, in words. */
  readonly detail: string
  /** Whether it happened while the job was repeated. */
  readonly isRetry: boolean
  /** Whether it happened in a test. */
  readonly isTest: boolean
  /** Provider that was used; also one that is newer than this version. */
  readonly providerId?: JobProviderId
  /** The provider's response, usually JSON in a string. */
  readonly raw?: string | null
  /** Part of the service from which it comes. */
  readonly source: Open<typeof executionDetailSources>
}

/**
 * A step as it was when the job ran (API document: Resources, ActivityJob).
 */
export interface ActivityStep {
  /** Internal identifier of the step. */
  readonly _id: string
  /** Whether the step runs. */
  readonly active: boolean
  /** Conditions under which the step runs. */
  readonly filters: ReadonlyArray<StepFilter>
  /** Internal identifier of the step's message template. */
  readonly _templateId: string
  /** Where replies are sent; the document does not show its fields. */
  readonly replyCallback?: { readonly [key: string]: unknown }
  /** Values that control the step; the document does not show its fields. */
  readonly controlVariables?: { readonly [key: string]: unknown }
  /** Settings of a digest or delay; the document does not show its fields. */
  readonly metadata?: { readonly [key: string]: unknown }
  /** What is wrong with the step; the document does not show its fields. */
  readonly issues?: { readonly [key: string]: unknown }
  /** Message template of the step; the document does not show its fields. */
  readonly template?: { readonly [key: string]: unknown }
  /** Name of the step. */
  readonly name?: string
  /** Internal identifier of the step before this one. */
  readonly _parentId?: string | null
  /** Variants of the step, of the same shape. */
  readonly variants?: ReadonlyArray<ActivityStep>
}

/** One step of an event at work, as read from a response (API document: Resources, ActivityJob). */
export interface ActivityJob {
  /** Internal identifier of the job. */
  readonly _id: string
  /** Kind of the job; also one that is newer than this version. */
  readonly type: JobType
  /** Digest with its settings and the events it collected. */
  readonly digest?: DigestMetadata
  /** What happened while the job ran. */
  readonly executionDetails: ReadonlyArray<ExecutionDetail>
  /** Step that the job carries out. */
  readonly step: ActivityStep
  /** Overrides given at the trigger. */
  readonly overrides?: { readonly [key: string]: unknown }
  /** Payload of the job. */
  readonly payload?: { readonly [key: string]: unknown }
  /** Provider of the job; absent on jobs without a provider (digest, delay, throttle, custom). */
  readonly providerId?: JobProviderId
  /** State of the job; the document does not show the values. */
  readonly status: string
  /** Time of the last update. */
  readonly updatedAt?: string
  /** How many times a digest or delay was extended to align with the subscriber's schedule. */
  readonly scheduleExtensionsCount?: number
}

/** The subscriber of an event, in short (API document: Resources, ActivityNotification). */
export interface ActivitySubscriber {
  /** Identifier used at creation, typically the user id in the client's system. */
  readonly subscriberId: string
  /** Internal identifier generated by the service. */
  readonly _id: string
  /** First name. */
  readonly firstName?: string
  /** Last name. */
  readonly lastName?: string
  /** E-mail address. */
  readonly email?: string
  /** Phone number. */
  readonly phone?: string
}

/** The workflow of an event, in short (API document: Resources, ActivityNotification). */
export interface ActivityTemplate {
  /** Name of the workflow. */
  readonly name: string
  /** How the workflow is triggered. */
  readonly triggers: ReadonlyArray<NotificationTrigger>
  /** Internal identifier of the workflow. */
  readonly _id?: string
  /** Where the workflow was made. */
  readonly origin?: Open<typeof workflowOrigins>
}

/** A topic that an event was sent to (API document: Resources, ActivityNotification). */
export interface ActivityTopic {
  /** Internal identifier of the topic. */
  readonly _topicId: string
  /** Key of the topic in the client's system. */
  readonly topicKey: string
}

/** Severity of an event (API document: Resources, ActivityNotification). */
export type Severity = (typeof severities)[number] | (string & {})

/** Whether a severity is one of those that this version knows (API document: Resources, ActivityNotification). */
export const isKnownSeverity = (value: unknown): value is (typeof severities)[number] => isOneOf(severities, value)

/**
 * One triggered notification, an event, as read from a response (API document: Resources, ActivityNotification).
 *
 * A failure shows as an execution detail with the status `Failed`; the `status` of a job is free text.
 *
 * @example
 * ```ts
 * import { type ActivityNotification, isKnownSeverity } from "@signalbox/core/Activity"
 *
 * const failuresOf = ({ jobs = [] }: ActivityNotification): ReadonlyArray<string> =>
 *   jobs.flatMap(({ executionDetails }) =>
 *     executionDetails.flatMap(({ detail, status }) => (status === "Failed" ? [detail] : []))
 *   )
 *
 * const order = { high: 0, medium: 1, low: 2, none: 3 }
 * const rankOf = ({ severity = "none" }: ActivityNotification): number =>
 *   isKnownSeverity(severity) ? order[severity] : order.high
 * ```
 */
export interface ActivityNotification {
  /** Internal identifier of the event. */
  readonly _id?: string
  /** Environment of the event. */
  readonly _environmentId: string
  /** Organization of the event. */
  readonly _organizationId: string
  /** Internal identifier of the subscriber. */
  readonly _subscriberId: string
  /** Transaction that the trigger belongs to. */
  readonly transactionId: string
  /** Internal identifier of the workflow. */
  readonly _templateId?: string
  /** Internal identifier of the event that this one was digested into. */
  readonly _digestedNotificationId?: string
  /** Creation time. */
  readonly createdAt?: string
  /** Time of the last update. */
  readonly updatedAt?: string
  /** Kinds of job of the event. */
  readonly channels?: ReadonlyArray<JobType>
  /** Subscriber; absent when it was deleted since. */
  readonly subscriber?: ActivitySubscriber
  /** Workflow; absent when it was deleted since. */
  readonly template?: ActivityTemplate
  /** Jobs. */
  readonly jobs?: ReadonlyArray<ActivityJob>
  /** Payload given at the trigger. */
  readonly payload?: { readonly [key: string]: unknown }
  /** Tags of the workflow. */
  readonly tags?: ReadonlyArray<string>
  /** Controls given at the trigger. */
  readonly controls?: { readonly [key: string]: unknown }
  /** Definition of the subscriber given at the trigger. */
  readonly to?: { readonly [key: string]: unknown }
  /** Topics that the event was sent to. */
  readonly topics?: ReadonlyArray<ActivityTopic>
  /** Severity. */
  readonly severity?: Severity
  /** Whether the event is critical. */
  readonly critical?: boolean
  /** Contexts in which the event was sent, each of the form `type:id`. */
  readonly contextKeys?: ReadonlyArray<string>
}

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
