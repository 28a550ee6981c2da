/**
 * Schemas of workflows and their steps, with what reading tolerates.
 *
 * **When to use**: to decode, encode or generate values with `effect/Schema`. Calls read without schemas, by tables
 * generated from these.
 *
 * @since 0.1.0
 */
import type * as Model from "../models/Workflow.ts"
import * as Schema from "effect/Schema"
import * as Metadata from "../contract/StepMetadata.ts"
import * as Contract from "../contract/Workflow.ts"
import { modelSchema } from "./ModelSchema.ts"
import { mayBeAbsent } from "./Relaxed.ts"
import { NotificationTrigger } from "./NotificationTrigger.ts"
import { openEnum } from "./OpenEnum.ts"
import { StepFilter } from "./StepFilter.ts"
import { MonthlyType, Ordinal, OrdinalValue, TimeUnit, WeekDay } from "./Timing.ts"

const timedConfigFields = {
  /** Days of the week. */
  weekDays: Schema.optionalKey(Schema.Array(WeekDay)),
  /** Which one in the month. */
  ordinal: Schema.optionalKey(Ordinal),
  /** What `ordinal` counts. */
  ordinalValue: Schema.optionalKey(OrdinalValue),
  /** Whether the month is described by days or by an ordinal. */
  monthlyType: Schema.optionalKey(MonthlyType)
}

/** Schema of `TimedConfig`. */
export const TimedConfig: Schema.Codec<Model.TimedConfig> = /* @__PURE__ */ modelSchema<Model.TimedConfig>()(
  Schema.Struct({
    ...Metadata.TimedConfig.fields,
    ...timedConfigFields
  })
)

const stepMetadataFields = {
  /** Shape of the digest or delay. */
  type: openEnum([...Metadata.regularDigestTypes, "timed", "scheduled"]),
  /** Unit of `amount`. */
  unit: Schema.optionalKey(TimeUnit),
  /** Unit of `backoffAmount`. */
  backoffUnit: Schema.optionalKey(TimeUnit),
  /** The set times of a timed digest. */
  timed: Schema.optionalKey(TimedConfig),
  /** Path of the time in the payload, for a scheduled delay. */
  delayPath: mayBeAbsent(Schema.String, { requiredWhere: { field: "type", in: ["scheduled"] } })
}

/** Schema of `StepMetadata`. */
export const StepMetadata: Schema.Codec<Model.StepMetadata> = /* @__PURE__ */ modelSchema<Model.StepMetadata>()(
  Schema.Struct({
    ...Metadata.DigestTimedMetadata.fields,
    ...Metadata.DigestRegularMetadata.fields,
    ...stepMetadataFields
  })
)

/** Schema of `ReplyCallback`. */
export const ReplyCallback: Schema.Codec<Model.ReplyCallback> = /* @__PURE__ */ modelSchema<Model.ReplyCallback>()(
  Contract.ReplyCallback
)

const notificationStepVariantFields = {
  /** Conditions under which the step runs. */
  filters: Schema.optionalKey(Schema.Array(StepFilter)),
  /** Settings of a digest or delay. */
  metadata: Schema.optionalKey(StepMetadata),
  /** Where replies are sent. */
  replyCallback: Schema.optionalKey(ReplyCallback)
}

/** Schema of `NotificationStepVariant`. */
export const NotificationStepVariant: Schema.Codec<Model.NotificationStepVariant> =
  /* @__PURE__ */ modelSchema<Model.NotificationStepVariant>()(
    Schema.Struct({
      ...Contract.NotificationStepVariant.fields,
      ...notificationStepVariantFields
    })
  )

const notificationStepFields = {
  /** Variants of the step, which have no variants of their own. */
  variants: Schema.optionalKey(Schema.Array(NotificationStepVariant))
}

/** Schema of `NotificationStep`. */
export const NotificationStep: Schema.Codec<Model.NotificationStep> =
  /* @__PURE__ */ modelSchema<Model.NotificationStep>()(
    Schema.Struct({
      ...Contract.NotificationStepVariant.fields,
      ...notificationStepVariantFields,
      ...notificationStepFields
    })
  )

/** Schema of `SubscriberPreferenceChannels`. */
export const SubscriberPreferenceChannels: Schema.Codec<Model.SubscriberPreferenceChannels> =
  Contract.SubscriberPreferenceChannels

/** Schema of `NotificationGroup`. */
export const NotificationGroup: Schema.Codec<Model.NotificationGroup> =
  /* @__PURE__ */ modelSchema<Model.NotificationGroup>()(Contract.NotificationGroup)

const workflowFields = {
  /** Channels that are on unless the subscriber chose otherwise. */
  preferenceSettings: SubscriberPreferenceChannels,
  /** Steps of the workflow. */
  steps: Schema.Array(NotificationStep),
  /** How the workflow is triggered. */
  triggers: Schema.Array(NotificationTrigger),
  /** Group of the workflow. */
  notificationGroup: Schema.optionalKey(NotificationGroup)
}

/** Schema of `Workflow`. */
export const Workflow: Schema.Codec<Model.Workflow> = /* @__PURE__ */ modelSchema<Model.Workflow>()(
  Schema.Struct({ ...Contract.Workflow.fields, ...workflowFields })
)
