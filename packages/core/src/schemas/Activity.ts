/**
 * Schemas of triggered events, with what reading tolerates.
 *
 * **When to use**: to decode, encode or generate values with `effect/Schema`. Calls read without schemas, by tables
 * generated from these.
 *
 * @since 0.1.0
 */
import type * as Model from "../models/Activity.ts"
import * as Schema from "effect/Schema"
import { JobType } from "./Channel.ts"
import * as Contract from "../contract/Activity.ts"
import { modelSchema } from "./ModelSchema.ts"
import { FreeForm } from "../contract/FreeForm.ts"
import { digestTypes } from "../contract/Timing.ts"
import { recursive } from "./Recursive.ts"
import { mayBeAbsent, mayBeNull } from "./Relaxed.ts"
import { NotificationTrigger } from "./NotificationTrigger.ts"
import { openEnum } from "./OpenEnum.ts"
import { JobProviderId } from "./Provider.ts"
import { StepFilter } from "./StepFilter.ts"
import { MonthlyType, Ordinal, OrdinalValue, TimeUnit, WeekDay } from "./Timing.ts"

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

/** Schema of `DigestTimedConfig`. */
export const DigestTimedConfig: Schema.Codec<Model.DigestTimedConfig> =
  /* @__PURE__ */ modelSchema<Model.DigestTimedConfig>()(
    Schema.Struct({
      ...Contract.DigestTimedConfig.fields,
      ...digestTimedConfigFields
    })
  )

const digestMetadataFields = {
  /** Shape of the digest. */
  type: openEnum(digestTypes),
  /** Unit of `amount`. */
  unit: Schema.optionalKey(TimeUnit),
  /** Events that were collected; `null` for one that was triggered without a payload. */
  events: Schema.optionalKey(Schema.Array(mayBeNull(FreeForm))),
  /** Unit of `backoffAmount`. */
  backoffUnit: Schema.optionalKey(TimeUnit),
  /** The set times of a timed digest. */
  timed: Schema.optionalKey(DigestTimedConfig)
}

/** Schema of `DigestMetadata`. */
export const DigestMetadata: Schema.Codec<Model.DigestMetadata> = /* @__PURE__ */ modelSchema<Model.DigestMetadata>()(
  Schema.Struct({
    ...Contract.DigestMetadata.fields,
    ...digestMetadataFields
  })
)

/** Schema of `ExecutionDetailStatus`. */
export const ExecutionDetailStatus = openEnum<typeof Contract.executionDetailStatuses, Model.ExecutionDetailStatus>(
  Contract.executionDetailStatuses
)

const executionDetailFields = {
  /** State that is reported; `Failed` is how a failure of a job shows. */
  status: ExecutionDetailStatus,
  /** Provider that was used; also one that is newer than this version. */
  providerId: Schema.optionalKey(JobProviderId),
  /** Part of the service from which it comes. */
  source: openEnum(Contract.executionDetailSources)
}

/** Schema of `ExecutionDetail`. */
export const ExecutionDetail: Schema.Codec<Model.ExecutionDetail> =
  /* @__PURE__ */ modelSchema<Model.ExecutionDetail>()(
    Schema.Struct({
      ...Contract.ExecutionDetail.fields,
      ...executionDetailFields
    })
  )

const activityStepFields = {
  /** Conditions under which the step runs. */
  filters: Schema.Array(StepFilter),
  /** Variants of the step, of the same shape. */
  variants: Schema.optionalKey(Schema.Array(recursive((): Schema.Codec<Model.ActivityStep> => ActivityStep)))
}

/** Schema of `ActivityStep`. */
export const ActivityStep: Schema.Codec<Model.ActivityStep> = /* @__PURE__ */ modelSchema<Model.ActivityStep>()(
  Schema.Struct({
    ...Contract.activityStepFields,
    ...activityStepFields
  })
)

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
  /** Provider of the job; absent on jobs without a provider (digest, delay, throttle, custom). */
  providerId: mayBeAbsent(JobProviderId, { expectedWhere: { field: "type", in: typesWithoutProvider } })
}

/** Schema of `ActivityJob`. */
export const ActivityJob: Schema.Codec<Model.ActivityJob> = /* @__PURE__ */ modelSchema<Model.ActivityJob>()(
  Schema.Struct({
    ...Contract.ActivityJob.fields,
    ...activityJobFields
  })
)

/** Schema of `ActivitySubscriber`. */
export const ActivitySubscriber: Schema.Codec<Model.ActivitySubscriber> =
  /* @__PURE__ */ modelSchema<Model.ActivitySubscriber>()(Contract.ActivitySubscriber)

const activityTemplateFields = {
  /** How the workflow is triggered. */
  triggers: Schema.Array(NotificationTrigger),
  /** Where the workflow was made. */
  origin: Schema.optionalKey(openEnum(Contract.workflowOrigins))
}

/** Schema of `ActivityTemplate`. */
export const ActivityTemplate: Schema.Codec<Model.ActivityTemplate> =
  /* @__PURE__ */ modelSchema<Model.ActivityTemplate>()(
    Schema.Struct({
      ...Contract.ActivityTemplate.fields,
      ...activityTemplateFields
    })
  )

/** Schema of `ActivityTopic`. */
export const ActivityTopic: Schema.Codec<Model.ActivityTopic> = /* @__PURE__ */ modelSchema<Model.ActivityTopic>()(
  Contract.ActivityTopic
)

/** Schema of `Severity`. */
export const Severity = openEnum<typeof Contract.severities, Model.Severity>(Contract.severities)

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

/** Schema of `ActivityNotification`. */
export const ActivityNotification: Schema.Codec<Model.ActivityNotification> =
  /* @__PURE__ */ modelSchema<Model.ActivityNotification>()(
    Schema.Struct({
      ...Contract.ActivityNotification.fields,
      ...activityNotificationFields
    })
  )
