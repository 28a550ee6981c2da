/** Triggered events, exactly as the API document has them (Resources, ActivityNotification). */
import * as Schema from "effect/Schema"
import { JobProviderId, JobType, MonthlyType, Ordinal, OrdinalValue, TimeUnit, WeekDay } from "./Enumerations.ts"
import {
  digestTypes,
  executionDetailSources,
  executionDetailStatuses,
  severities,
  workflowOrigins
} from "./KnownValues.ts"
import { FreeForm } from "./FreeForm.ts"
import { NotificationTrigger } from "./NotificationTrigger.ts"
import { StepFilter } from "./StepFilter.ts"
import { mayBeAbsent, mayBeNull, record, vendorIdentifier } from "./Marks.ts"

/**
 * When in a day, week or month a job's digest ends; every field is optional (API document: Resources,
 * DigestTimedConfig).
 *
 * Here `monthDays` are numbers; in the metadata of a workflow's step they are strings.
 */
export const DigestTimedConfig = record("DigestTimedConfig", {
  /** Time of day. */
  atTime: Schema.optionalKey(Schema.String),
  /** Days of the week. */
  weekDays: Schema.optionalKey(Schema.Array(WeekDay)),
  /** Days of the month, as numbers. */
  monthDays: Schema.optionalKey(Schema.Array(Schema.Finite)),
  /** Which one in the month. */
  ordinal: Schema.optionalKey(Ordinal),
  /** What `ordinal` counts. */
  ordinalValue: Schema.optionalKey(OrdinalValue),
  /** Whether the month is described by days or by an ordinal. */
  monthlyType: Schema.optionalKey(MonthlyType),
  /** Cron expression of the times. */
  cronExpression: Schema.optionalKey(Schema.String),
  /** Date until which the times apply. */
  untilDate: Schema.optionalKey(Schema.String)
})

/** The digest of a job with the events it collected (API document: Resources, ActivityJob). */
export const DigestMetadata = record("DigestMetadata", {
  /** Shape of the digest. */
  type: Schema.Literals(digestTypes),
  /** Key by which events are digested together. */
  digestKey: Schema.optionalKey(Schema.String),
  /** How long the digest collects, in `unit`. */
  amount: Schema.optionalKey(Schema.Finite),
  /** Unit of `amount`. */
  unit: Schema.optionalKey(TimeUnit),
  /** Events that were collected, as free-form objects. */
  events: Schema.optionalKey(
    Schema.Array(
      mayBeNull(FreeForm, {
        note: "`null` for one that was triggered without a payload",
        because:
          "A running service (version 3.15.0) returns null for a digested event that was triggered without a payload"
      })
    )
  ),
  /** Whether the digest backs off. */
  backoff: Schema.optionalKey(Schema.Boolean),
  /** How long it backs off, in `backoffUnit`. */
  backoffAmount: Schema.optionalKey(Schema.Finite),
  /** Unit of `backoffAmount`. */
  backoffUnit: Schema.optionalKey(TimeUnit),
  /** Whether a running digest is updated. */
  updateMode: Schema.optionalKey(Schema.Boolean),
  /** The set times of a timed digest. */
  timed: Schema.optionalKey(DigestTimedConfig)
})

/**
 * State that an execution detail reports; `Failed` is how a failure of a job shows (API document: States and
 * transitions).
 */
export const ExecutionDetailStatus = Schema.Literals(executionDetailStatuses)

/** Severity of an event (API document: Resources, ActivityNotification). */
export const Severity = Schema.Literals(severities)

/** One thing that happened while a job ran (API document: Resources, ActivityJob). */
export const ExecutionDetail = record("ExecutionDetail", {
  /** Internal identifier of the execution detail. */
  _id: Schema.String,
  /** Creation time. */
  createdAt: Schema.optionalKey(Schema.String),
  /** State that is reported; `Failed` is how a failure of a job shows. */
  status: ExecutionDetailStatus,
  /** What happened, in words. */
  detail: Schema.String,
  /** Whether it happened while the job was repeated. */
  isRetry: Schema.Boolean,
  /** Whether it happened in a test. */
  isTest: Schema.Boolean,
  /** Provider that was used. */
  providerId: vendorIdentifier(Schema.optionalKey(JobProviderId)),
  /** The provider's response, usually JSON in a string. */
  raw: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** Part of the service from which it comes. */
  source: Schema.Literals(executionDetailSources)
})

/** The fields of a step except its variants, which have the same shape. */
export const activityStepFields = {
  /** Internal identifier of the step. */
  _id: Schema.String,
  /** Whether the step runs. */
  active: Schema.Boolean,
  /** Conditions under which the step runs. */
  filters: Schema.Array(StepFilter),
  /** Internal identifier of the step's message template. */
  _templateId: Schema.String,
  /** Where replies are sent; the document does not show its fields. */
  replyCallback: Schema.optionalKey(FreeForm),
  /** Values that control the step; the document does not show its fields. */
  controlVariables: Schema.optionalKey(FreeForm),
  /** Settings of a digest or delay; the document does not show its fields. */
  metadata: Schema.optionalKey(FreeForm),
  /** What is wrong with the step; the document does not show its fields. */
  issues: Schema.optionalKey(FreeForm),
  /** Message template of the step; the document does not show its fields. */
  template: Schema.optionalKey(FreeForm),
  /** Name of the step. */
  name: Schema.optionalKey(Schema.String),
  /** Internal identifier of the step before this one. */
  _parentId: Schema.optionalKey(Schema.NullOr(Schema.String))
}

/** A step as it was when the job ran (API document: Resources, ActivityJob). */
export interface ActivityStep extends Schema.Struct.Type<typeof activityStepFields> {
  /** Variants of the step, of the same shape. */
  readonly variants?: ReadonlyArray<ActivityStep>
}

/** A step as it was when the job ran; its variants have the same shape (API document: Resources, ActivityJob). */
export const ActivityStep: Schema.Struct<
  typeof activityStepFields & {
    readonly variants: Schema.optionalKey<Schema.$Array<Schema.suspend<Schema.Codec<ActivityStep>>>>
  }
> = Schema.Struct({
  ...activityStepFields,
  variants: Schema.optionalKey(Schema.Array(Schema.suspend((): Schema.Codec<ActivityStep> => ActivityStep)))
}).annotate({ identifier: "ActivityStep" })

/** One step of an event at work (API document: Resources, ActivityJob). */
export const ActivityJob = record("ActivityJob", {
  /** Internal identifier of the job. */
  _id: Schema.String,
  /** Kind of the job. */
  type: JobType,
  /** Digest with its settings and the events it collected. */
  digest: Schema.optionalKey(DigestMetadata),
  /** What happened while the job ran. */
  executionDetails: Schema.Array(ExecutionDetail),
  /** Step that the job carries out. */
  step: ActivityStep,
  /** Overrides given at the trigger. */
  overrides: Schema.optionalKey(FreeForm),
  /** Payload of the job. */
  payload: Schema.optionalKey(FreeForm),
  /** Provider of the job. */
  providerId: mayBeAbsent(vendorIdentifier(JobProviderId), {
    absence: { expectedWhere: { field: "type", in: ["digest", "delay", "throttle", "custom"] } },
    note: "absent on jobs without a provider (digest, delay, throttle, custom)",
    because:
      "Jobs of type digest, delay, throttle and custom have no provider, nor do jobs of a channel without an active integration: implementations leave the field out"
  }),
  /** State of the job; the document does not show the values. */
  status: Schema.String,
  /** Time of the last update. */
  updatedAt: Schema.optionalKey(Schema.String),
  /** How many times a digest or delay was extended to align with the subscriber's schedule. */
  scheduleExtensionsCount: Schema.optionalKey(Schema.Finite)
})

/** The subscriber of an event, in short (API document: Resources, ActivityNotification). */
export const ActivitySubscriber = record("ActivitySubscriber", {
  /** Identifier used at creation, typically the user id in the client's system. */
  subscriberId: Schema.String,
  /** Internal identifier generated by the service. */
  _id: Schema.String,
  /** First name. */
  firstName: Schema.optionalKey(Schema.String),
  /** Last name. */
  lastName: Schema.optionalKey(Schema.String),
  /** E-mail address. */
  email: Schema.optionalKey(Schema.String),
  /** Phone number. */
  phone: Schema.optionalKey(Schema.String)
})

/** The workflow of an event, in short (API document: Resources, ActivityNotification). */
export const ActivityTemplate = record("ActivityTemplate", {
  /** Name of the workflow. */
  name: Schema.String,
  /** How the workflow is triggered. */
  triggers: Schema.Array(NotificationTrigger),
  /** Internal identifier of the workflow. */
  _id: Schema.optionalKey(Schema.String),
  /** Where the workflow was made. */
  origin: vendorIdentifier(Schema.optionalKey(Schema.Literals(workflowOrigins)))
})

/** A topic that an event was sent to (API document: Resources, ActivityNotification). */
export const ActivityTopic = record("ActivityTopic", {
  /** Internal identifier of the topic. */
  _topicId: Schema.String,
  /** Key of the topic in the client's system. */
  topicKey: Schema.String
})

/**
 * One triggered notification: an event (API document: Resources, ActivityNotification).
 *
 * @remarks A failure shows as an execution detail with the status `Failed`; the `status` of a job is free text.
 *
 * @example
 * ```ts
 * import { type ActivityNotification, isKnownSeverity } from "@signalbox/core/Records"
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
export const ActivityNotification = record("ActivityNotification", {
  /** Internal identifier of the event. */
  _id: Schema.optionalKey(Schema.String),
  /** Environment of the event. */
  _environmentId: Schema.String,
  /** Organization of the event. */
  _organizationId: Schema.String,
  /** Internal identifier of the subscriber. */
  _subscriberId: Schema.String,
  /** Transaction that the trigger belongs to. */
  transactionId: Schema.String,
  /** Internal identifier of the workflow. */
  _templateId: Schema.optionalKey(Schema.String),
  /** Internal identifier of the event that this one was digested into. */
  _digestedNotificationId: Schema.optionalKey(Schema.String),
  /** Creation time. */
  createdAt: Schema.optionalKey(Schema.String),
  /** Time of the last update. */
  updatedAt: Schema.optionalKey(Schema.String),
  /** Kinds of job of the event. */
  channels: Schema.optionalKey(Schema.Array(JobType)),
  /** Subscriber. */
  subscriber: Schema.optionalKey(ActivitySubscriber),
  /** Workflow. */
  template: Schema.optionalKey(ActivityTemplate),
  /** Jobs. */
  jobs: Schema.optionalKey(Schema.Array(ActivityJob)),
  /** Payload given at the trigger. */
  payload: Schema.optionalKey(FreeForm),
  /** Tags of the workflow. */
  tags: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Controls given at the trigger. */
  controls: Schema.optionalKey(FreeForm),
  /** Definition of the subscriber given at the trigger. */
  to: Schema.optionalKey(FreeForm),
  /** Topics that the event was sent to. */
  topics: Schema.optionalKey(Schema.Array(ActivityTopic)),
  /** Severity. */
  severity: Schema.optionalKey(Severity),
  /** Whether the event is critical. */
  critical: Schema.optionalKey(Schema.Boolean),
  /** Contexts in which the event was sent, each of the form `type:id`. */
  contextKeys: Schema.optionalKey(Schema.Array(Schema.String))
})

/**
 * One page of the event listing (API document: Endpoints, List all events).
 */
export const EventPage = record("EventPage", {
  /** Whether more records exist in the result set. */
  hasMore: Schema.Boolean,
  /** The records. */
  data: Schema.Array(ActivityNotification),
  /** Page size. */
  pageSize: Schema.Finite,
  /** Current page, counted from 0. */
  page: Schema.Finite
})
