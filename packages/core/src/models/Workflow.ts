/**
 * Workflows with their steps, as the service sends them.
 *
 * **When to use**: for the `template` of a message. An event has its workflow in short, `ActivityTemplate`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Metadata from "../contract/StepMetadata.ts"
import * as Contract from "../contract/Workflow.ts"
import { mayBeAbsent } from "./Relaxed.ts"
import { NotificationTrigger } from "./NotificationTrigger.ts"
import { openEnum } from "../contract/OpenEnum.ts"
import { StepFilter } from "./StepFilter.ts"
import { MonthlyType, Ordinal, OrdinalValue, TimeUnit, WeekDay } from "./Timing.ts"
import type { Read } from "./Read.ts"

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

/** When in a day, week or month a timed digest ends (API document: Resources, TimedConfig). */
export interface TimedConfig extends Read<typeof Metadata.TimedConfig.fields, typeof timedConfigFields> {}

/** Schema of {@link TimedConfig}. */
export const TimedConfig: Schema.Codec<TimedConfig> = Schema.Struct({
  ...Metadata.TimedConfig.fields,
  ...timedConfigFields
})

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

/**
 * The settings of a digest or delay step: the four shapes of the document as one, because their `type` does not tell
 * them apart and may be newer than this version (API document: Resources, NotificationStep).
 */
export interface StepMetadata extends Read<
  typeof Metadata.DigestTimedMetadata.fields & typeof Metadata.DigestRegularMetadata.fields,
  typeof stepMetadataFields
> {}

/** Schema of {@link StepMetadata}. */
export const StepMetadata: Schema.Codec<StepMetadata> = Schema.Struct({
  ...Metadata.DigestTimedMetadata.fields,
  ...Metadata.DigestRegularMetadata.fields,
  ...stepMetadataFields
})

/** Where the service sends replies to a step (API document: Resources, NotificationStep). */
export interface ReplyCallback extends Schema.Struct.Type<typeof Contract.ReplyCallback.fields> {}

/** Schema of {@link ReplyCallback}. */
export const ReplyCallback: Schema.Codec<ReplyCallback> = Contract.ReplyCallback

const notificationStepVariantFields = {
  /** Conditions under which the step runs. */
  filters: Schema.optionalKey(Schema.Array(StepFilter)),
  /** Settings of a digest or delay. */
  metadata: Schema.optionalKey(StepMetadata),
  /** Where replies are sent. */
  replyCallback: Schema.optionalKey(ReplyCallback)
}

/** A variant of a step: the fields of a step without `variants` (API document: Resources, NotificationStep). */
export interface NotificationStepVariant extends Read<
  typeof Contract.NotificationStepVariant.fields,
  typeof notificationStepVariantFields
> {}

/** Schema of {@link NotificationStepVariant}. */
export const NotificationStepVariant: Schema.Codec<NotificationStepVariant> = Schema.Struct({
  ...Contract.NotificationStepVariant.fields,
  ...notificationStepVariantFields
})

const notificationStepFields = {
  /** Variants of the step, which have no variants of their own. */
  variants: Schema.optionalKey(Schema.Array(NotificationStepVariant))
}

/** A step of a workflow (API document: Resources, NotificationStep). */
export interface NotificationStep extends Read<
  typeof Contract.NotificationStepVariant.fields,
  typeof notificationStepVariantFields & typeof notificationStepFields
> {}

/** Schema of {@link NotificationStep}. */
export const NotificationStep: Schema.Codec<NotificationStep> = Schema.Struct({
  ...Contract.NotificationStepVariant.fields,
  ...notificationStepVariantFields,
  ...notificationStepFields
})

/** The channels that a workflow uses unless the subscriber chose otherwise (API document: Resources, Workflow). */
export interface SubscriberPreferenceChannels extends Schema.Struct.Type<
  typeof Contract.SubscriberPreferenceChannels.fields
> {}

/** Schema of {@link SubscriberPreferenceChannels}. */
export const SubscriberPreferenceChannels: Schema.Codec<SubscriberPreferenceChannels> =
  Contract.SubscriberPreferenceChannels

/** A group that workflows are sorted into (API document: Resources, Workflow). */
export interface NotificationGroup extends Schema.Struct.Type<typeof Contract.NotificationGroup.fields> {}

/** Schema of {@link NotificationGroup}. */
export const NotificationGroup: Schema.Codec<NotificationGroup> = Contract.NotificationGroup

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

/**
 * The plan by which a trigger becomes messages, as read from a response (API document: Resources, Workflow).
 *
 * @example
 * ```ts
 * import type { Workflow } from "@signalbox/core/Workflow"
 *
 * const waitsUntil = ({ steps }: Workflow): ReadonlyArray<string> =>
 *   steps.flatMap(({ metadata }) => (metadata?.type === "scheduled" ? [metadata.delayPath ?? "?"] : []))
 * ```
 */
export interface Workflow extends Read<typeof Contract.Workflow.fields, typeof workflowFields> {}

/** Schema of {@link Workflow}. */
export const Workflow: Schema.Codec<Workflow> = Schema.Struct({ ...Contract.Workflow.fields, ...workflowFields })
