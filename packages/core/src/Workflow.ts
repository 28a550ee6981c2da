import * as Schema from "effect/Schema"
import * as Metadata from "./contract/StepMetadata.ts"
import * as Contract from "./contract/Workflow.ts"
import { mayBeAbsent } from "./internal/reading/Relaxed.ts"
import { NotificationTrigger } from "./NotificationTrigger.ts"
import { openEnum } from "./OpenEnum.ts"
import { StepFilter } from "./StepFilter.ts"
import { MonthlyType, Ordinal, OrdinalValue, TimeUnit, WeekDay } from "./Timing.ts"

/** When in a day, week or month a timed digest ends (API document: Resources, TimedConfig). */
export class TimedConfig extends Schema.Opaque<TimedConfig>()(
  Schema.Struct({
    ...Metadata.TimedConfig.fields,
    /** Days of the week. */
    weekDays: Schema.optionalKey(Schema.Array(WeekDay)),
    /** Which one in the month. */
    ordinal: Schema.optionalKey(Ordinal),
    /** What `ordinal` counts. */
    ordinalValue: Schema.optionalKey(OrdinalValue),
    /** Whether the month is described by days or by an ordinal. */
    monthlyType: Schema.optionalKey(MonthlyType)
  })
) {}

/**
 * The settings of a digest or delay step: the four shapes of the document as one, because their `type` does not tell
 * them apart and may be newer than this version (API document: Resources, NotificationStep).
 */
export class StepMetadata extends Schema.Opaque<StepMetadata>()(
  Schema.Struct({
    ...Metadata.DigestTimedMetadata.fields,
    ...Metadata.DigestRegularMetadata.fields,
    /** Shape of the digest or delay. */
    type: openEnum([...Metadata.regularDigestTypes, "timed", "scheduled"]),
    /** Unit of `amount`. */
    unit: Schema.optionalKey(TimeUnit),
    /** Unit of `backoffAmount`. */
    backoffUnit: Schema.optionalKey(TimeUnit),
    /** The set times of a timed digest. */
    timed: Schema.optionalKey(TimedConfig),
    /** Path of the time in the payload, for a scheduled delay. */
    delayPath: mayBeAbsent(Schema.String, (metadata) => metadata["type"] !== "scheduled")
  })
) {}

/** Where the service sends replies to a step (API document: Resources, NotificationStep). */
export class ReplyCallback extends Schema.Opaque<ReplyCallback>()(Contract.ReplyCallback) {}

/** A variant of a step: the fields of a step without `variants` (API document: Resources, NotificationStep). */
export class NotificationStepVariant extends Schema.Opaque<NotificationStepVariant>()(
  Schema.Struct({
    ...Contract.NotificationStepVariant.fields,
    /** Conditions under which the step runs. */
    filters: Schema.optionalKey(Schema.Array(StepFilter)),
    /** Settings of a digest or delay. */
    metadata: Schema.optionalKey(StepMetadata),
    /** Where replies are sent. */
    replyCallback: Schema.optionalKey(ReplyCallback)
  })
) {}

/** A step of a workflow (API document: Resources, NotificationStep). */
export class NotificationStep extends Schema.Opaque<NotificationStep>()(
  Schema.Struct({
    ...NotificationStepVariant.fields,
    /** Variants of the step, which have no variants of their own. */
    variants: Schema.optionalKey(Schema.Array(NotificationStepVariant))
  })
) {}

/** The channels that a workflow uses unless the subscriber chose otherwise (API document: Resources, Workflow). */
export class SubscriberPreferenceChannels extends Schema.Opaque<SubscriberPreferenceChannels>()(
  Contract.SubscriberPreferenceChannels
) {}

/** A group that workflows are sorted into (API document: Resources, Workflow). */
export class NotificationGroup extends Schema.Opaque<NotificationGroup>()(Contract.NotificationGroup) {}

/** The plan by which a trigger becomes messages, as read from a response (API document: Resources, Workflow). */
export class Workflow extends Schema.Opaque<Workflow>()(
  Schema.Struct({
    ...Contract.Workflow.fields,
    /** Channels that are on unless the subscriber chose otherwise. */
    preferenceSettings: SubscriberPreferenceChannels,
    /** Steps of the workflow. */
    steps: Schema.Array(NotificationStep),
    /** How the workflow is triggered. */
    triggers: Schema.Array(NotificationTrigger),
    /** Group of the workflow. */
    notificationGroup: Schema.optionalKey(NotificationGroup)
  })
) {}
