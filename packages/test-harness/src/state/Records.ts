/**
 * The records that the fake stores. They do not depend on the wire format: times are milliseconds since 1970, and
 * ids of environment and organization are added when a record is rendered, so that environments can share records.
 */
import type {
  ChannelCredentials,
  EmailBlock,
  KnownChannel,
  KnownJobProviderId,
  KnownJobType,
  MessageButton,
  MessageCTA,
  StepFilter
} from "@signalbox/core/Records"
import type * as KnownValues from "@signalbox/core/internal/contract/KnownValues"
import type { JsonObject } from "@signalbox/core/internal/reading/JsonObject"

/** Kind of channel of a message. */
export type Channel = KnownChannel

/** Kind of job or step. */
export type JobType = KnownJobType

export type JobProviderId = KnownJobProviderId

export type Credentials = ChannelCredentials

export type Severity = (typeof KnownValues.severities)[number]

/** Stored credentials of a subscriber for one provider and integration. */
export interface ChannelRecord {
  readonly providerId: string
  readonly integrationId: string
  readonly integrationIdentifier: string
  readonly credentials: Credentials
}

export interface SubscriberRecord {
  readonly id: string
  readonly subscriberId: string
  readonly firstName?: string | null
  readonly lastName?: string | null
  readonly email?: string | null
  readonly phone?: string | null
  readonly avatar?: string | null
  readonly locale?: string | null
  readonly timezone?: string | null
  readonly data?: JsonObject | null
  readonly topics: ReadonlyArray<string>
  readonly isOnline: boolean
  readonly lastOnlineAt?: number
  readonly channels: ReadonlyArray<ChannelRecord>
  readonly version: number
  readonly deleted: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

/** A configured provider of the environment. */
export interface IntegrationRecord {
  readonly id: string
  readonly identifier: string
  readonly name: string
  readonly providerId: JobProviderId
  readonly channel: Channel
  readonly active: boolean
  readonly createdAt: number
}

export type TimeUnit = "seconds" | "minutes" | "hours" | "days" | "weeks" | "months"

/** A waiting time in a workflow. */
export interface Wait {
  readonly amount: number
  readonly unit: TimeUnit
}

const unitMilliseconds: Readonly<Record<TimeUnit, number>> = {
  seconds: 1000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
  weeks: 604_800_000,
  months: 2_592_000_000
}

/** All units of waiting times. */
export const timeUnits = Object.keys(unitMilliseconds) as ReadonlyArray<TimeUnit> // keys of a literal

/** A waiting time in milliseconds; a month has 30 days. */
export const waitMilliseconds = ({ amount, unit }: Wait): number => amount * unitMilliseconds[unit]

export interface StepRecord {
  readonly id: string
  readonly templateId: string
  readonly name: string
  readonly type: Exclude<JobType, "trigger">
  readonly active: boolean
  /** Whether a failure ends the event. */
  readonly stopOnFail: boolean
  /** Window of a digest or throttle, or length of a delay. */
  readonly wait?: Wait
  /** Field of the payload that a digest groups by. */
  readonly digestKey?: string
  /** Events that a throttle lets through in its window. */
  readonly threshold?: number
  /** Conditions: the step is skipped if one of them is not met. */
  readonly filters: ReadonlyArray<StepFilter>
  /** Content of the message, with `{{payload.x}}` and `{{subscriber.x}}`. */
  readonly subject?: string
  readonly content?: string
  readonly redirect?: string
  readonly buttons?: ReadonlyArray<MessageButton>
}

export interface WorkflowRecord {
  readonly id: string
  readonly identifier: string
  readonly name: string
  readonly description: string
  readonly active: boolean
  readonly critical: boolean
  readonly severity?: Severity
  readonly tags: ReadonlyArray<string>
  readonly origin: (typeof KnownValues.workflowOrigins)[number]
  readonly variables: ReadonlyArray<string>
  readonly steps: ReadonlyArray<StepRecord>
  readonly createdAt: number
}

/** A message created by a step. */
export interface MessageRecord {
  readonly id: string
  /** Order of creation. */
  readonly sequence: number
  /** External id of the subscriber. */
  readonly subscriberId: string
  readonly eventId: string
  readonly workflowId?: string
  readonly templateId?: string
  readonly channel: Channel
  readonly createdAt: number
  readonly deliveredAt?: ReadonlyArray<number>
  readonly read: boolean
  readonly seen: boolean
  readonly lastReadDate?: number
  readonly lastSeenDate?: number
  readonly snoozedUntil?: number
  readonly transactionId: string
  readonly content?: string | ReadonlyArray<EmailBlock>
  readonly subject?: string
  readonly title?: string
  readonly email?: string
  readonly phone?: string
  readonly directWebhookUrl?: string
  readonly deviceTokens?: ReadonlyArray<string>
  readonly providerId?: string
  readonly cta?: MessageCTA
  readonly status: (typeof KnownValues.messageStatuses)[number]
  readonly errorId?: string
  readonly errorText?: string
  readonly payload?: JsonObject
  readonly overrides?: JsonObject
  readonly contextKeys?: ReadonlyArray<string>
}

/** Whether a message has the state that a mark such as `unread` names. */
export const isMarkedAs = (mark: unknown, { read, seen }: Pick<MessageRecord, "read" | "seen">): boolean => {
  const states: Readonly<Record<string, boolean>> = { read, unread: !read, seen, unseen: !seen }
  return states[String(mark)] === true
}

/** A topic that an event was sent to. */
export interface Topic {
  readonly id: string
  readonly key: string
  /** The subscriber's subscription to the topic, by which later versions of the service filter. */
  readonly subscriptionId?: string
}

/** The immutable part of a triggered event. The progress of its jobs is stored separately, or computed from `seed`. */
export interface EventRecord {
  readonly id: string
  /** Order of insertion. */
  readonly sequence: number
  readonly createdAt: number
  /** External id of the subscriber. */
  readonly subscriberId: string
  readonly workflowId: string
  readonly transactionId: string
  readonly channels: ReadonlyArray<string>
  readonly severity?: Severity
  readonly critical: boolean
  readonly tags: ReadonlyArray<string>
  readonly topics: ReadonlyArray<Topic>
  readonly contextKeys: ReadonlyArray<string>
  readonly payload: JsonObject
  readonly overrides?: JsonObject
  /** Present on generated events, whose jobs are computed from it when they are read. */
  readonly seed?: number
}

/** An execution detail, from its time on. */
export interface DetailRecord {
  readonly at: number
  readonly status: (typeof KnownValues.executionDetailStatuses)[number]
  readonly source: (typeof KnownValues.executionDetailSources)[number]
  readonly detail: string
  readonly raw?: string
  readonly isRetry?: boolean
  readonly providerId?: JobProviderId
}

/** Status of a job, from its time on. */
export interface StatusRecord {
  readonly at: number
  readonly status:
    | "pending"
    | "queued"
    | "running"
    | "completed"
    | "failed"
    | "delayed"
    | "canceled"
    | "merged"
    | "skipped"
}

/** A message that a job creates when it finishes. */
export type MessageDraft = Pick<
  MessageRecord,
  "channel" | "providerId" | "email" | "phone" | "directWebhookUrl" | "deviceTokens" | "errorId" | "errorText"
>

/** The past and future course of one job of an event: requests show only what is past. */
export interface JobRecord {
  readonly drafts?: ReadonlyArray<MessageDraft>
  readonly providerId?: JobProviderId
  readonly statuses: ReadonlyArray<StatusRecord>
  readonly details: ReadonlyArray<DetailRecord>
  /** Payloads that a digest collected. */
  readonly digested?: ReadonlyArray<JsonObject>
}

/** The progress of the jobs of an event, one for each active step of its workflow. */
export interface ProgressRecord {
  readonly jobs: ReadonlyArray<JobRecord>
  /** Event whose digest includes this one. */
  readonly digestedInto?: string
}

/** A job that is due to start or finish. */
export interface Appointment {
  readonly at: number
  /** The order of appointments at the same time. */
  readonly sequence: number
  readonly eventId: string
  /** Position of the job. */
  readonly job: number
  readonly what: "start" | "finish"
}
