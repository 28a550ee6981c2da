// Generated from `contract/` by `pnpm --filter @signalbox/core run readers`; a test compares the two.
import type {
  channelProviderIds,
  channels,
  digestTypes,
  emailBlockTypes,
  executionDetailSources,
  executionDetailStatuses,
  filterOperators,
  filterSources,
  filterTypes,
  filterValues,
  jobProviderIds,
  jobTypes,
  messageActionStatuses,
  messageButtonTypes,
  messageCtaTypes,
  messageStatuses,
  monthlyTypes,
  ordinalValues,
  ordinals,
  severities,
  textAligns,
  timeUnits,
  triggerTypes,
  weekDays,
  workflowOrigins,
  Open
} from "../contract/KnownValues.ts"

/**
 * State that an execution detail reports; `Failed` is how a failure of a job shows (API document: States and
 * transitions).
 *
 * A service may send a value that is newer than this version.
 */
export type ExecutionDetailStatus = (typeof executionDetailStatuses)[number] | (string & {})

/**
 * Severity of an event (API document: Resources, ActivityNotification).
 *
 * A service may send a value that is newer than this version.
 */
export type Severity = (typeof severities)[number] | (string & {})

/**
 * The channel of a message (API document: Resources, Message).
 *
 * A service may send a value that is newer than this version.
 */
export type Channel = (typeof channels)[number] | (string & {})

/**
 * A provider for which a subscriber can have credentials, exactly the 20 values of the document (API document:
 * Resources, ChannelSettings).
 *
 * A service may send a value that is newer than this version.
 */
export type ChannelProviderId = (typeof channelProviderIds)[number] | (string & {})

/**
 * A provider that can carry out a job of an event (API document: Resources, ActivityJob).
 *
 * A service may send a value that is newer than this version.
 */
export type JobProviderId = (typeof jobProviderIds)[number] | (string & {})

/**
 * The kind of a job (API document: Resources, ActivityNotification).
 *
 * A service may send a value that is newer than this version.
 */
export type JobType = (typeof jobTypes)[number] | (string & {})

/**
 * Whether a monthly schedule names days (`each`) or an ordinal (`on`) (API document: Resources, TimedConfig).
 *
 * A service may send a value that is newer than this version.
 */
export type MonthlyType = (typeof monthlyTypes)[number] | (string & {})

/**
 * Which one in a month: a number from 1 to 5, or `last` (API document: Resources, TimedConfig).
 *
 * A service may send a value that is newer than this version.
 */
export type Ordinal = Open<typeof ordinals>

/**
 * What an ordinal counts, for example `weekday` in "the last weekday" (API document: Resources, TimedConfig).
 *
 * A service may send a value that is newer than this version.
 */
export type OrdinalValue = (typeof ordinalValues)[number] | (string & {})

/**
 * Unit of an amount of time (API document: Resources, NotificationStep).
 *
 * A service may send a value that is newer than this version.
 */
export type TimeUnit = (typeof timeUnits)[number] | (string & {})

/**
 * A day of a week (API document: Resources, TimedConfig).
 *
 * A service may send a value that is newer than this version.
 */
export type WeekDay = (typeof weekDays)[number] | (string & {})

/**
 * State of the delivery of a message (API document: States and transitions).
 *
 * A service may send a value that is newer than this version.
 */
export type MessageStatus = (typeof messageStatuses)[number] | (string & {})

/** One step of an event at work (API document: Resources, ActivityJob). */
export interface ActivityJob {
  /** Internal identifier of the job. */
  readonly _id: string
  /** Kind of the job. */
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

/**
 * One triggered notification: an event (API document: Resources, ActivityNotification).
 *
 * A failure shows as an execution detail with the status `Failed`; the `status` of a job is free text.
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
  /** Subscriber. */
  readonly subscriber?: ActivitySubscriber
  /** Workflow. */
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

/** A step as it was when the job ran; its variants have the same shape (API document: Resources, ActivityJob). */
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
 * When in a day, week or month a job's digest ends; every field is optional (API document: Resources,
 * DigestTimedConfig).
 *
 * Here `monthDays` are numbers; in the metadata of a workflow's step they are strings.
 */
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

/** One page of the event listing (API document: Endpoints, List all events). */
export interface EventPage {
  /** Whether more records exist in the result set. */
  readonly hasMore: boolean
  /** The records. */
  readonly data: ReadonlyArray<ActivityNotification>
  /** Page size. */
  readonly pageSize: number
  /** Current page, counted from 0. */
  readonly page: number
}

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
  /** Provider that was used. */
  readonly providerId?: JobProviderId
  /** The provider's response, usually JSON in a string. */
  readonly raw?: string | null
  /** Part of the service from which it comes. */
  readonly source: Open<typeof executionDetailSources>
}

/** One block of an e-mail (API document: Resources, EmailBlock). */
export interface EmailBlock {
  /** Whether the block is text or a button. */
  readonly type: Open<typeof emailBlockTypes>
  /** Text of the block. */
  readonly content: string
  /** Where a button leads. */
  readonly url?: string
  /** How the block looks. */
  readonly styles?: EmailBlockStyles
}

/** How a block of an e-mail looks (API document: Resources, EmailBlock). */
export interface EmailBlockStyles {
  /** Alignment of the text. */
  readonly textAlign: Open<typeof textAligns>
}

/**
 * One message of one subscriber on one channel (API document: Resources, Message).
 *
 * `_id` is optional in the document; without it a message cannot be marked.
 *
 * @example
 * ```ts
 * import { isKnownChannel, type Message } from "@signalbox/core/Records"
 *
 * const describe = ({ channel, read, subject }: Message): string => {
 *   const state = read ? "read" : "unread"
 *   return isKnownChannel(channel) ? `${channel}: ${subject ?? "no subject"}, ${state}` : `on a new channel, ${state}`
 * }
 * ```
 */
export interface Message {
  /** Internal identifier of the message. */
  readonly _id?: string
  /** Internal identifier of the workflow. */
  readonly _templateId?: string | null
  /** Environment in which the message is sent. */
  readonly _environmentId: string
  /** Internal identifier of the message template. */
  readonly _messageTemplateId?: string | null
  /** Organization that owns the message. */
  readonly _organizationId: string
  /** Internal identifier of the event that the message belongs to. */
  readonly _notificationId: string
  /** Internal identifier of the subscriber. */
  readonly _subscriberId: string
  /** Subscriber of the message. */
  readonly subscriber?: Subscriber
  /** Workflow of the message. */
  readonly template?: Workflow
  /** Identifier of the message template. */
  readonly templateIdentifier?: string
  /** Creation date. */
  readonly createdAt: string
  /** Delivery dates; several when the message was delivered more than once, for example after a snooze. */
  readonly deliveredAt?: ReadonlyArray<string>
  /** Date when the message was last seen. */
  readonly lastSeenDate?: string
  /** Date when the message was last read. */
  readonly lastReadDate?: string
  /** Content: a string, or the blocks of an email; `null` where the service stored no content. */
  readonly content?: ReadonlyArray<EmailBlock> | string | null
  /** Transaction that the message belongs to. */
  readonly transactionId: string
  /** Subject. */
  readonly subject?: string
  /** Channel. */
  readonly channel: Channel
  /** Whether the message is read. */
  readonly read: boolean
  /** Whether the message is seen. */
  readonly seen: boolean
  /** Date when the message is unsnoozed. */
  readonly snoozedUntil?: string
  /** E-mail address associated with the message. */
  readonly email?: string
  /** Phone number associated with the message. */
  readonly phone?: string
  /** Webhook URL that the message was sent to. A secret. */
  readonly directWebhookUrl?: string
  /** Provider that delivered the message. */
  readonly providerId?: string
  /** Device tokens that the message was sent to. Secrets. */
  readonly deviceTokens?: ReadonlyArray<string>
  /** Title. */
  readonly title?: string
  /** Where the message leads and what can be done with it; absent where the stored message has no call to action. */
  readonly cta?: MessageCTA
  /** Internal identifier of the feed. */
  readonly _feedId?: string | null
  /** State of the delivery. */
  readonly status: MessageStatus
  /** Identifier of the error, when the message has one. */
  readonly errorId?: string
  /** Text of the error, when the message has one. */
  readonly errorText?: string
  /** Payload used for the trigger. */
  readonly payload?: { readonly [key: string]: unknown }
  /** Overrides by provider used at the trigger. */
  readonly overrides?: { readonly [key: string]: unknown }
  /** Context keys, each of the form `type:id`. */
  readonly contextKeys?: ReadonlyArray<string>
}

/** What the subscriber can do with a message (API document: Resources, MessageAction). */
export interface MessageAction {
  /** Whether the subscriber has done it. */
  readonly status?: Open<typeof messageActionStatuses>
  /** Buttons to choose from. */
  readonly buttons?: ReadonlyArray<MessageButton>
  /** What came of it. */
  readonly result?: MessageActionResult
}

/** What came of an action (API document: Resources, MessageAction). */
export interface MessageActionResult {
  /** Data that came with the press of the button. */
  readonly payload?: { readonly [key: string]: unknown }
  /** Which button was pressed. */
  readonly type?: Open<typeof messageButtonTypes>
}

/** A button of a message (API document: Resources, MessageButton). */
export interface MessageButton {
  /** Whether the button is the main one. */
  readonly type: Open<typeof messageButtonTypes>
  /** Text on the button. */
  readonly content: string
  /** Text shown after the button was pressed. */
  readonly resultContent?: string
}

/** Where a message leads and what can be done with it (API document: Resources, MessageCTA). */
export interface MessageCTA {
  /** Kind of the call to action. */
  readonly type?: Open<typeof messageCtaTypes>
  /** Where the message leads. */
  readonly data?: MessageCTAData
  /** What can be done with it. */
  readonly action?: MessageAction
}

/** Data of a call to action (API document: Resources, MessageCTA). */
export interface MessageCTAData {
  /** Where the message leads. */
  readonly url?: string
}

/** How a workflow is triggered and which variables it takes (API document: Resources, Workflow). */
export interface NotificationTrigger {
  /** Way in which the workflow is triggered. */
  readonly type: Open<typeof triggerTypes>
  /** Identifier by which the client triggers the workflow. */
  readonly identifier: string
  /** Variables taken from the payload. */
  readonly variables: ReadonlyArray<TriggerVariable>
  /** Variables taken from the subscriber. */
  readonly subscriberVariables?: ReadonlyArray<TriggerVariable>
}

/** A variable that a trigger takes (API document: Resources, Workflow). */
export interface TriggerVariable {
  /** Name of the variable. */
  readonly name: string
}

/** One comparison of a step's filter (API document: Resources, NotificationStep). */
export interface FieldFilterPart {
  /** Field that is compared; absent where a newer source compares nothing, such as `previousStep`. */
  readonly field?: string
  /** Value that the field is compared with; absent where a newer source compares nothing, such as `previousStep`. */
  readonly value?: string
  /** Comparison; absent where a newer source compares nothing, such as `previousStep`. */
  readonly operator?: Open<typeof filterOperators>
  /** Whether the field is one of the subscriber or of the payload. */
  readonly on: Open<typeof filterSources>
}

/** A condition under which a step runs (API document: Resources, NotificationStep). */
export interface StepFilter {
  /** Whether the outcome is turned around; absent in some stored filters. */
  readonly isNegated?: boolean
  /** Kind of value that is compared; absent in some stored filters. */
  readonly type?: Open<typeof filterTypes>
  /** Whether all parts must match, or any one of them. */
  readonly value: Open<typeof filterValues>
  /** The comparisons. */
  readonly children: ReadonlyArray<FieldFilterPart>
}

/**
 * The settings of a digest or delay step (API document: Resources, NotificationStep).
 *
 * In the document it is not a union discriminated by `type`: the word `regular` stands for a digest and for a delay.
 * Every regular delay is also a regular digest, so here it is not a separate member: as one it
 * would accept, and strip the fields of, a digest whose other fields are wrong. With one member for each word, what is
 * wrong inside of a member is reported at its own path.
 */
export interface StepMetadata {
  /** Shape of the digest or delay. */
  readonly type: Open<readonly ["regular", "backoff", "timed", "scheduled"]>
  /** How long the digest collects, in `unit`. */
  readonly amount?: number
  /** Unit of `amount`. */
  readonly unit?: TimeUnit
  /** Key by which events are digested together. */
  readonly digestKey?: string
  /** Whether the digest backs off. */
  readonly backoff?: boolean
  /** How long it backs off, in `backoffUnit`. */
  readonly backoffAmount?: number
  /** Unit of `backoffAmount`. */
  readonly backoffUnit?: TimeUnit
  /** Whether a running digest is updated. */
  readonly updateMode?: boolean
  /** The set times. */
  readonly timed?: TimedConfig
  /** Path of the time in the payload. */
  readonly delayPath?: string
}

/**
 * When in a day, week or month a timed digest ends; every field is optional (API document: Resources, TimedConfig).
 *
 * Here `monthDays` are strings; in a job's digest they are numbers.
 */
export interface TimedConfig {
  /** Time of day. */
  readonly atTime?: string
  /** Days of the week. */
  readonly weekDays?: ReadonlyArray<WeekDay>
  /** Days of the month, as strings. */
  readonly monthDays?: ReadonlyArray<string>
  /** Which one in the month. */
  readonly ordinal?: Ordinal
  /** What `ordinal` counts. */
  readonly ordinalValue?: OrdinalValue
  /** Whether the month is described by days or by an ordinal. */
  readonly monthlyType?: MonthlyType
}

/**
 * What a provider needs to reach one subscriber; every field is optional (API document: Resources,
 * ChannelCredentials).
 */
export interface ChannelCredentials {
  /** Webhook URL for chat integrations, obtained from the chat provider. A secret. */
  readonly webhookUrl?: string
  /** Channel specification for Mattermost chat notifications. */
  readonly channel?: string
  /** Device tokens of the subscriber, used by push integrations. Secrets. */
  readonly deviceTokens?: ReadonlyArray<string>
  /** Alert UID for the grafana-on-call webhook payload. */
  readonly alertUid?: string
  /** Title for the grafana-on-call webhook. */
  readonly title?: string
  /** Image URL for the grafana-on-call webhook. */
  readonly imageUrl?: string
  /** State property for the grafana-on-call webhook. */
  readonly state?: string
  /** Link to upstream details for the grafana-on-call webhook. */
  readonly externalUrl?: string
}

/** The credentials of one provider, as held by a subscriber (API document: Resources, ChannelSettings). */
export interface ChannelSettings {
  /** Provider that the credentials belong to. */
  readonly providerId: ChannelProviderId
  /** Identifier of the integration, when the subscriber has credentials for a particular one. */
  readonly integrationIdentifier?: string
  /** What the provider needs to reach the subscriber. */
  readonly credentials: ChannelCredentials
  /** Internal identifier of the integration associated with the channel. */
  readonly _integrationId: string
}

/**
 * A person or system that receives notifications (API document: Resources, Subscriber).
 *
 * Optional fields that the service does not know are absent or `null`, without a difference in meaning.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Subscriber } from "@signalbox/core/Schemas"
 *
 * const subscriber = Schema.decodeUnknownSync(Subscriber)({
 *   subscriberId: "ada",
 *   _organizationId: "organization",
 *   _environmentId: "environment",
 *   deleted: false,
 *   createdAt: "2026-01-01T00:00:00.000Z",
 *   updatedAt: "2026-01-01T00:00:00.000Z"
 * })
 *
 * subscriber.channels ?? [] // => []
 * ```
 */
export interface Subscriber {
  /** Internal identifier generated by the service; differs from `subscriberId`. */
  readonly _id?: string
  /** First name. */
  readonly firstName?: string | null
  /** Last name. */
  readonly lastName?: string | null
  /** E-mail address. */
  readonly email?: string | null
  /** Phone number. */
  readonly phone?: string | null
  /** URL of the avatar image. */
  readonly avatar?: string | null
  /** Preferred language or region. */
  readonly locale?: string | null
  /** Credentials by provider; `null` in some old records. */
  readonly channels?: ReadonlyArray<ChannelSettings> | null
  /**
   * Topics that the subscriber is subscribed to.
   *
   * @deprecated The API document marks this field as deprecated (API document: Versioning).
   */
  readonly topics?: ReadonlyArray<string>
  /** Whether the subscriber is online now. */
  readonly isOnline?: boolean | null
  /** Time when the subscriber was last online, ISO 8601. */
  readonly lastOnlineAt?: string | null
  /** Version of the subscriber document. */
  readonly __v?: number
  /** Custom data with string keys and any values. */
  readonly data?: { readonly [key: string]: unknown } | null
  /** Time zone. */
  readonly timezone?: string | null
  /** Identifier used at creation, typically the user id in the client's system. */
  readonly subscriberId: string
  /** Organization that owns the subscriber. */
  readonly _organizationId: string
  /** Environment that owns the subscriber. */
  readonly _environmentId: string
  /** Whether the subscriber is deleted. */
  readonly deleted: boolean
  /** Creation time, ISO 8601. */
  readonly createdAt: string
  /** Time of the last update, ISO 8601. */
  readonly updatedAt: string
}

/** A group that workflows are sorted into (API document: Resources, Workflow). */
export interface NotificationGroup {
  /** Name of the group. */
  readonly name: string
  /** Environment that owns the group. */
  readonly _environmentId: string
  /** Organization that owns the group. */
  readonly _organizationId: string
  /** Internal identifier of the group. */
  readonly _id?: string
  /** Internal identifier of the group that this one was copied from. */
  readonly _parentId?: string
}

/** A step of a workflow (API document: Resources, NotificationStep). */
export interface NotificationStep {
  /** Internal identifier of the step. */
  readonly _id?: string
  /** Identifier of the step that stays the same across versions. */
  readonly uuid?: string
  /** Name of the step. */
  readonly name?: string
  /** Internal identifier of the step's message template. */
  readonly _templateId?: string
  /** Whether the step runs. */
  readonly active?: boolean
  /** Whether the workflow stops when the step fails. */
  readonly shouldStopOnFail?: boolean
  /** Message template of the step; the document does not show its fields. */
  readonly template?: { readonly [key: string]: unknown }
  /** Conditions under which the step runs. */
  readonly filters?: ReadonlyArray<StepFilter>
  /** Internal identifier of the step before this one. */
  readonly _parentId?: string
  /** Settings of a digest or delay. */
  readonly metadata?: StepMetadata
  /** Where replies are sent. */
  readonly replyCallback?: ReplyCallback
  /** Variants of the step, which have no variants of their own. */
  readonly variants?: ReadonlyArray<NotificationStepVariant>
}

/** A variant of a step: the fields of a step without `variants` (API document: Resources, NotificationStep). */
export interface NotificationStepVariant {
  /** Internal identifier of the step. */
  readonly _id?: string
  /** Identifier of the step that stays the same across versions. */
  readonly uuid?: string
  /** Name of the step. */
  readonly name?: string
  /** Internal identifier of the step's message template. */
  readonly _templateId?: string
  /** Whether the step runs. */
  readonly active?: boolean
  /** Whether the workflow stops when the step fails. */
  readonly shouldStopOnFail?: boolean
  /** Message template of the step; the document does not show its fields. */
  readonly template?: { readonly [key: string]: unknown }
  /** Conditions under which the step runs. */
  readonly filters?: ReadonlyArray<StepFilter>
  /** Internal identifier of the step before this one. */
  readonly _parentId?: string
  /** Settings of a digest or delay. */
  readonly metadata?: StepMetadata
  /** Where replies are sent. */
  readonly replyCallback?: ReplyCallback
}

/** Where the service sends replies to a step (API document: Resources, NotificationStep). */
export interface ReplyCallback {
  /** Whether replies are sent on. */
  readonly active?: boolean
  /** URL to which they are sent. */
  readonly url?: string
}

/** The channels that a workflow uses unless the subscriber chose otherwise (API document: Resources, Workflow). */
export interface SubscriberPreferenceChannels {
  /** Whether e-mail is on. */
  readonly email?: boolean
  /** Whether SMS is on. */
  readonly sms?: boolean
  /** Whether the inbox is on. */
  readonly in_app?: boolean
  /** Whether chat is on. */
  readonly chat?: boolean
  /** Whether push is on. */
  readonly push?: boolean
}

/**
 * The plan by which a trigger becomes messages (API document: Resources, Workflow).
 *
 * @example
 * ```ts
 * import type { Workflow } from "@signalbox/core/Records"
 *
 * const waitsUntil = ({ steps }: Workflow): ReadonlyArray<string> =>
 *   steps.flatMap(({ metadata }) => (metadata?.type === "scheduled" ? [metadata.delayPath ?? "?"] : []))
 * ```
 */
export interface Workflow {
  /** Name of the workflow. */
  readonly name: string
  /** Description of the workflow. */
  readonly description: string
  /** Whether the workflow can be triggered. */
  readonly active: boolean
  /** Whether the workflow is a draft. */
  readonly draft: boolean
  /** Channels that are on unless the subscriber chose otherwise. */
  readonly preferenceSettings: SubscriberPreferenceChannels
  /** Whether subscribers cannot switch the workflow off. */
  readonly critical: boolean
  /** Tags of the workflow. */
  readonly tags: ReadonlyArray<string>
  /** Steps of the workflow. */
  readonly steps: ReadonlyArray<NotificationStep>
  /** Organization that owns the workflow. */
  readonly _organizationId: string
  /** Internal identifier of the user who made the workflow. */
  readonly _creatorId: string
  /** Environment that owns the workflow. */
  readonly _environmentId: string
  /** How the workflow is triggered. */
  readonly triggers: ReadonlyArray<NotificationTrigger>
  /** Internal identifier of the workflow's group. */
  readonly _notificationGroupId: string
  /** Whether the workflow is deleted. */
  readonly deleted: boolean
  /** When the workflow was deleted. */
  readonly deletedAt: string
  /** Who deleted the workflow. */
  readonly deletedBy: string
  /** Internal identifier of the workflow. */
  readonly _id?: string
  /** Internal identifier of the workflow that this one was copied from. */
  readonly _parentId?: string
  /** Group of the workflow. */
  readonly notificationGroup?: NotificationGroup
  /** Custom data with string keys and any values. */
  readonly data?: { readonly [key: string]: unknown }
  /** Whether the integrations that the workflow needs are there; the document does not show its fields. */
  readonly workflowIntegrationStatus?: { readonly [key: string]: unknown }
}

/** The filters of the event listing (API document: Endpoints, List all events). */
export interface ListFilters {
  /** Channels, such as `in_app` or `email`. */
  readonly channels?: JobType | ReadonlyArray<JobType> | undefined
  /** Internal identifiers of workflows: one, or several. */
  readonly templates?: string | ReadonlyArray<string> | undefined
  /** E-mail addresses: one, or several. */
  readonly emails?: string | ReadonlyArray<string> | undefined
  /**
   * Search term.
   *
   * @deprecated The API document marks this filter as deprecated (API document: Versioning).
   */
  readonly search?: string | undefined
  /** Identifiers of subscribers in the client's system: one, or several. */
  readonly subscriberIds?: string | ReadonlyArray<string> | undefined
  /** Levels of severity: one, or several. */
  readonly severity?: Severity | ReadonlyArray<Severity> | undefined
  /** Number of the page, counted from 0; 0 when absent. */
  readonly page?: number | undefined
  /** Size of the page, from 1 to 50; 10 when absent. */
  readonly limit?: number | undefined
  /** Identifier of the transaction that the trigger belongs to. */
  readonly transactionId?: string | undefined
  /** Key of a topic that the event was sent to. */
  readonly topicKey?: string | undefined
  /** Exact context keys, each of the form `type:id`. */
  readonly contextKeys?: string | ReadonlyArray<string> | undefined
  /** Only records after this timestamp; the earliest date that the plan allows when absent. */
  readonly after?: string | Date | undefined
  /** Only records before this timestamp; the time of the request when absent. */
  readonly before?: string | Date | undefined
  /** Identifier of a topic subscription that the event was sent to. Newer than the API document; a service that does not know it may list everything. */
  readonly subscriptionId?: string | undefined
}
