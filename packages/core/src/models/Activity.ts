/**
 * Triggered events with their jobs, as the service sends them.
 *
 * **When to use**: for the records of `Events.list`: what was triggered, for whom, and what became of every step.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { JobType } from "./Channel.ts"
import * as Contract from "../contract/Activity.ts"
import { digestTypes } from "../contract/Timing.ts"
import { recursive } from "./Recursive.ts"
import { mayBeAbsent } from "./Relaxed.ts"
import { NotificationTrigger } from "./NotificationTrigger.ts"
import { isKnown, openEnum } from "../contract/OpenEnum.ts"
import { JobProviderId } from "./Provider.ts"
import { StepFilter } from "./StepFilter.ts"
import { MonthlyType, Ordinal, OrdinalValue, TimeUnit, WeekDay } from "./Timing.ts"
import type { Read } from "./Read.ts"

const digestTimedConfigFields = {
  /** Days of the week. */
  weekDays: Schema.optionalKey(Schema.Array(WeekDay)),
  /** Which one in the month. */
  ordinal: Schema.optionalKey(Ordinal),
  /** What `ordinal` counts. */
  ordinalValue: Schema.optionalKey(OrdinalValue),
  /** Whether the month is described by days or by an ordinal. */
  monthlyType: Schema.optionalKey(MonthlyType)
}

/** When in a day, week or month a job's digest ends (API document: Resources, DigestTimedConfig). */
export interface DigestTimedConfig extends Read<
  typeof Contract.DigestTimedConfig.fields,
  typeof digestTimedConfigFields
> {}

/** Schema of {@link DigestTimedConfig}. */
export const DigestTimedConfig: Schema.Codec<DigestTimedConfig> = Schema.Struct({
  ...Contract.DigestTimedConfig.fields,
  ...digestTimedConfigFields
})

const digestMetadataFields = {
  /** Shape of the digest. */
  type: openEnum(digestTypes),
  /** Unit of `amount`. */
  unit: Schema.optionalKey(TimeUnit),
  /** Unit of `backoffAmount`. */
  backoffUnit: Schema.optionalKey(TimeUnit),
  /** The set times of a timed digest. */
  timed: Schema.optionalKey(DigestTimedConfig)
}

/** The digest of a job with the events it collected (API document: Resources, ActivityJob). */
export interface DigestMetadata extends Read<typeof Contract.DigestMetadata.fields, typeof digestMetadataFields> {}

/** Schema of {@link DigestMetadata}. */
export const DigestMetadata: Schema.Codec<DigestMetadata> = Schema.Struct({
  ...Contract.DigestMetadata.fields,
  ...digestMetadataFields
})

/**
 * State that an execution detail reports; `Failed` is how a failure of a job shows (API document: States and
 * transitions).
 */
export type ExecutionDetailStatus = (typeof Contract.executionDetailStatuses)[number] | (string & {})

/** Schema of {@link ExecutionDetailStatus}. */
export const ExecutionDetailStatus = openEnum<typeof Contract.executionDetailStatuses, ExecutionDetailStatus>(
  Contract.executionDetailStatuses
)

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
export const isKnownExecutionDetailStatus = (
  value: unknown
): value is (typeof Contract.executionDetailStatuses)[number] => isKnown(ExecutionDetailStatus, value)

const executionDetailFields = {
  /** State that is reported; `Failed` is how a failure of a job shows. */
  status: ExecutionDetailStatus,
  /** Provider that was used; also one that is newer than this version. */
  providerId: Schema.optionalKey(JobProviderId),
  /** Part of the service from which it comes. */
  source: openEnum(Contract.executionDetailSources)
}

/** One thing that happened while a job ran (API document: Resources, ActivityJob). */
export interface ExecutionDetail extends Read<typeof Contract.ExecutionDetail.fields, typeof executionDetailFields> {}

/** Schema of {@link ExecutionDetail}. */
export const ExecutionDetail: Schema.Codec<ExecutionDetail> = Schema.Struct({
  ...Contract.ExecutionDetail.fields,
  ...executionDetailFields
})

const activityStepFields = {
  /** Conditions under which the step runs. */
  filters: Schema.Array(StepFilter),
  /** Variants of the step, of the same shape. */
  variants: Schema.optionalKey(Schema.Array(recursive((): Schema.Codec<ActivityStep> => ActivityStep)))
}

/**
 * A step as it was when the job ran (API document: Resources, ActivityJob).
 */
export interface ActivityStep extends Read<typeof Contract.activityStepFields, typeof activityStepFields> {}

/** Schema of {@link ActivityStep}. */
export const ActivityStep: Schema.Codec<ActivityStep> = Schema.Struct({
  ...Contract.activityStepFields,
  ...activityStepFields
})

/** The kinds of job that no provider carries out. */
const typesWithoutProvider = ["digest", "delay", "throttle", "custom"]

const activityJobFields = {
  /** Kind of the job; also one that is newer than this version. */
  type: JobType,
  /** Digest with its settings and the events it collected. */
  digest: Schema.optionalKey(DigestMetadata),
  /** What happened while the job ran. */
  executionDetails: Schema.Array(ExecutionDetail),
  /** Step that the job carries out. */
  step: ActivityStep,
  /** Provider of the job; absent on jobs that use none (digest, delay, throttle, custom). */
  providerId: mayBeAbsent(JobProviderId, { expectedWhere: { field: "type", in: typesWithoutProvider } })
}

/** One step of an event at work, as read from a response (API document: Resources, ActivityJob). */
export interface ActivityJob extends Read<typeof Contract.ActivityJob.fields, typeof activityJobFields> {}

/** Schema of {@link ActivityJob}. */
export const ActivityJob: Schema.Codec<ActivityJob> = Schema.Struct({
  ...Contract.ActivityJob.fields,
  ...activityJobFields
})

/** The subscriber of an event, in short (API document: Resources, ActivityNotification). */
export interface ActivitySubscriber extends Schema.Struct.Type<typeof Contract.ActivitySubscriber.fields> {}

/** Schema of {@link ActivitySubscriber}. */
export const ActivitySubscriber: Schema.Codec<ActivitySubscriber> = Contract.ActivitySubscriber

const activityTemplateFields = {
  /** How the workflow is triggered. */
  triggers: Schema.Array(NotificationTrigger),
  /** Where the workflow was made. */
  origin: Schema.optionalKey(openEnum(Contract.workflowOrigins))
}

/** The workflow of an event, in short (API document: Resources, ActivityNotification). */
export interface ActivityTemplate extends Read<
  typeof Contract.ActivityTemplate.fields,
  typeof activityTemplateFields
> {}

/** Schema of {@link ActivityTemplate}. */
export const ActivityTemplate: Schema.Codec<ActivityTemplate> = Schema.Struct({
  ...Contract.ActivityTemplate.fields,
  ...activityTemplateFields
})

/** A topic that an event was sent to (API document: Resources, ActivityNotification). */
export interface ActivityTopic extends Schema.Struct.Type<typeof Contract.ActivityTopic.fields> {}

/** Schema of {@link ActivityTopic}. */
export const ActivityTopic: Schema.Codec<ActivityTopic> = Contract.ActivityTopic

/** Severity of an event (API document: Resources, ActivityNotification). */
export type Severity = (typeof Contract.severities)[number] | (string & {})

/** Schema of {@link Severity}. */
export const Severity = openEnum<typeof Contract.severities, Severity>(Contract.severities)

/** Whether a severity is one of those that this version knows (API document: Resources, ActivityNotification). */
export const isKnownSeverity = (value: unknown): value is (typeof Contract.severities)[number] =>
  isKnown(Severity, value)

const activityNotificationFields = {
  /** Kinds of job of the event. */
  channels: Schema.optionalKey(Schema.Array(JobType)),
  /** Subscriber; absent when it was deleted since. */
  subscriber: Schema.optionalKey(ActivitySubscriber),
  /** Workflow; absent when it was deleted since. */
  template: Schema.optionalKey(ActivityTemplate),
  /** Jobs. */
  jobs: Schema.optionalKey(Schema.Array(ActivityJob)),
  /** Topics that the event was sent to. */
  topics: Schema.optionalKey(Schema.Array(ActivityTopic)),
  /** Severity. */
  severity: Schema.optionalKey(Severity)
}

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
export interface ActivityNotification extends Read<
  typeof Contract.ActivityNotification.fields,
  typeof activityNotificationFields
> {}

/** Schema of {@link ActivityNotification}. */
export const ActivityNotification: Schema.Codec<ActivityNotification> = Schema.Struct({
  ...Contract.ActivityNotification.fields,
  ...activityNotificationFields
})
