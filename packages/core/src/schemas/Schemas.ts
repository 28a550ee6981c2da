/**
 * Schemas of the records in responses, with what reading tolerates.
 *
 * **When to use**: to decode, encode or generate values with `effect/Schema`. Calls read without schemas, by tables
 * generated from these.
 */
// Generated from `contract/` by `pnpm --filter @signalbox/core run readers`; a test compares the two.
import type * as Schema from "effect/Schema"
import * as ContractActivity from "../contract/Activity.ts"
import * as ContractMessage from "../contract/Message.ts"
import * as ContractNotificationTrigger from "../contract/NotificationTrigger.ts"
import * as ContractStepFilter from "../contract/StepFilter.ts"
import * as ContractStepMetadata from "../contract/StepMetadata.ts"
import * as ContractSubscriber from "../contract/Subscriber.ts"
import * as ContractWorkflow from "../contract/Workflow.ts"
import * as KnownValues from "../contract/KnownValues.ts"
import type * as Model from "../models/Records.ts"
import { openEnum } from "./OpenEnum.ts"
import { tolerant } from "./Tolerant.ts"

/** Schema of `ExecutionDetailStatus`. */
export const ExecutionDetailStatus = /* @__PURE__ */ openEnum<typeof KnownValues.executionDetailStatuses, Model.ExecutionDetailStatus>(KnownValues.executionDetailStatuses)
/** Schema of `Severity`. */
export const Severity = /* @__PURE__ */ openEnum<typeof KnownValues.severities, Model.Severity>(KnownValues.severities)
/** Schema of `Channel`. */
export const Channel = /* @__PURE__ */ openEnum<typeof KnownValues.channels, Model.Channel>(KnownValues.channels)
/** Schema of `ChannelProviderId`. */
export const ChannelProviderId = /* @__PURE__ */ openEnum<typeof KnownValues.channelProviderIds, Model.ChannelProviderId>(KnownValues.channelProviderIds)
/** Schema of `JobProviderId`. */
export const JobProviderId = /* @__PURE__ */ openEnum<typeof KnownValues.jobProviderIds, Model.JobProviderId>(KnownValues.jobProviderIds)
/** Schema of `JobType`. */
export const JobType = /* @__PURE__ */ openEnum<typeof KnownValues.jobTypes, Model.JobType>(KnownValues.jobTypes)
/** Schema of `MonthlyType`. */
export const MonthlyType = /* @__PURE__ */ openEnum<typeof KnownValues.monthlyTypes, Model.MonthlyType>(KnownValues.monthlyTypes)
/** Schema of `Ordinal`. */
export const Ordinal = /* @__PURE__ */ openEnum<typeof KnownValues.ordinals, Model.Ordinal>(KnownValues.ordinals)
/** Schema of `OrdinalValue`. */
export const OrdinalValue = /* @__PURE__ */ openEnum<typeof KnownValues.ordinalValues, Model.OrdinalValue>(KnownValues.ordinalValues)
/** Schema of `TimeUnit`. */
export const TimeUnit = /* @__PURE__ */ openEnum<typeof KnownValues.timeUnits, Model.TimeUnit>(KnownValues.timeUnits)
/** Schema of `WeekDay`. */
export const WeekDay = /* @__PURE__ */ openEnum<typeof KnownValues.weekDays, Model.WeekDay>(KnownValues.weekDays)
/** Schema of `MessageStatus`. */
export const MessageStatus = /* @__PURE__ */ openEnum<typeof KnownValues.messageStatuses, Model.MessageStatus>(KnownValues.messageStatuses)
/** Schema of `ActivityJob`. */
export const ActivityJob: Schema.Codec<Model.ActivityJob> = /* @__PURE__ */ tolerant(ContractActivity.ActivityJob)
/** Schema of `ActivityNotification`. */
export const ActivityNotification: Schema.Codec<Model.ActivityNotification> = /* @__PURE__ */ tolerant(ContractActivity.ActivityNotification)
/** Schema of `ActivityStep`. */
export const ActivityStep: Schema.Codec<Model.ActivityStep> = /* @__PURE__ */ tolerant(ContractActivity.ActivityStep)
/** Schema of `ActivitySubscriber`. */
export const ActivitySubscriber: Schema.Codec<Model.ActivitySubscriber> = /* @__PURE__ */ tolerant(ContractActivity.ActivitySubscriber)
/** Schema of `ActivityTemplate`. */
export const ActivityTemplate: Schema.Codec<Model.ActivityTemplate> = /* @__PURE__ */ tolerant(ContractActivity.ActivityTemplate)
/** Schema of `ActivityTopic`. */
export const ActivityTopic: Schema.Codec<Model.ActivityTopic> = /* @__PURE__ */ tolerant(ContractActivity.ActivityTopic)
/** Schema of `DigestMetadata`. */
export const DigestMetadata: Schema.Codec<Model.DigestMetadata> = /* @__PURE__ */ tolerant(ContractActivity.DigestMetadata)
/** Schema of `DigestTimedConfig`. */
export const DigestTimedConfig: Schema.Codec<Model.DigestTimedConfig> = /* @__PURE__ */ tolerant(ContractActivity.DigestTimedConfig)
/** Schema of `EventPage`. */
export const EventPage: Schema.Codec<Model.EventPage> = /* @__PURE__ */ tolerant(ContractActivity.EventPage)
/** Schema of `ExecutionDetail`. */
export const ExecutionDetail: Schema.Codec<Model.ExecutionDetail> = /* @__PURE__ */ tolerant(ContractActivity.ExecutionDetail)
/** Schema of `EmailBlock`. */
export const EmailBlock: Schema.Codec<Model.EmailBlock> = /* @__PURE__ */ tolerant(ContractMessage.EmailBlock)
/** Schema of `EmailBlockStyles`. */
export const EmailBlockStyles: Schema.Codec<Model.EmailBlockStyles> = /* @__PURE__ */ tolerant(ContractMessage.EmailBlockStyles)
/** Schema of `Message`. */
export const Message: Schema.Codec<Model.Message> = /* @__PURE__ */ tolerant(ContractMessage.Message)
/** Schema of `MessageAction`. */
export const MessageAction: Schema.Codec<Model.MessageAction> = /* @__PURE__ */ tolerant(ContractMessage.MessageAction)
/** Schema of `MessageActionResult`. */
export const MessageActionResult: Schema.Codec<Model.MessageActionResult> = /* @__PURE__ */ tolerant(ContractMessage.MessageActionResult)
/** Schema of `MessageButton`. */
export const MessageButton: Schema.Codec<Model.MessageButton> = /* @__PURE__ */ tolerant(ContractMessage.MessageButton)
/** Schema of `MessageCTA`. */
export const MessageCTA: Schema.Codec<Model.MessageCTA> = /* @__PURE__ */ tolerant(ContractMessage.MessageCTA)
/** Schema of `MessageCTAData`. */
export const MessageCTAData: Schema.Codec<Model.MessageCTAData> = /* @__PURE__ */ tolerant(ContractMessage.MessageCTAData)
/** Schema of `NotificationTrigger`. */
export const NotificationTrigger: Schema.Codec<Model.NotificationTrigger> = /* @__PURE__ */ tolerant(ContractNotificationTrigger.NotificationTrigger)
/** Schema of `TriggerVariable`. */
export const TriggerVariable: Schema.Codec<Model.TriggerVariable> = /* @__PURE__ */ tolerant(ContractNotificationTrigger.TriggerVariable)
/** Schema of `FieldFilterPart`. */
export const FieldFilterPart: Schema.Codec<Model.FieldFilterPart> = /* @__PURE__ */ tolerant(ContractStepFilter.FieldFilterPart)
/** Schema of `StepFilter`. */
export const StepFilter: Schema.Codec<Model.StepFilter> = /* @__PURE__ */ tolerant(ContractStepFilter.StepFilter)
/** Schema of `StepMetadata`. */
export const StepMetadata: Schema.Codec<Model.StepMetadata> = /* @__PURE__ */ tolerant(ContractStepMetadata.StepMetadata)
/** Schema of `TimedConfig`. */
export const TimedConfig: Schema.Codec<Model.TimedConfig> = /* @__PURE__ */ tolerant(ContractStepMetadata.TimedConfig)
/** Schema of `ChannelCredentials`. */
export const ChannelCredentials: Schema.Codec<Model.ChannelCredentials> = /* @__PURE__ */ tolerant(ContractSubscriber.ChannelCredentials)
/** Schema of `ChannelSettings`. */
export const ChannelSettings: Schema.Codec<Model.ChannelSettings> = /* @__PURE__ */ tolerant(ContractSubscriber.ChannelSettings)
/** Schema of `Subscriber`. */
export const Subscriber: Schema.Codec<Model.Subscriber> = /* @__PURE__ */ tolerant(ContractSubscriber.Subscriber)
/** Schema of `NotificationGroup`. */
export const NotificationGroup: Schema.Codec<Model.NotificationGroup> = /* @__PURE__ */ tolerant(ContractWorkflow.NotificationGroup)
/** Schema of `NotificationStep`. */
export const NotificationStep: Schema.Codec<Model.NotificationStep> = /* @__PURE__ */ tolerant(ContractWorkflow.NotificationStep)
/** Schema of `NotificationStepVariant`. */
export const NotificationStepVariant: Schema.Codec<Model.NotificationStepVariant> = /* @__PURE__ */ tolerant(ContractWorkflow.NotificationStepVariant)
/** Schema of `ReplyCallback`. */
export const ReplyCallback: Schema.Codec<Model.ReplyCallback> = /* @__PURE__ */ tolerant(ContractWorkflow.ReplyCallback)
/** Schema of `SubscriberPreferenceChannels`. */
export const SubscriberPreferenceChannels: Schema.Codec<Model.SubscriberPreferenceChannels> = /* @__PURE__ */ tolerant(ContractWorkflow.SubscriberPreferenceChannels)
/** Schema of `Workflow`. */
export const Workflow: Schema.Codec<Model.Workflow> = /* @__PURE__ */ tolerant(ContractWorkflow.Workflow)
