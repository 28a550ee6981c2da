/**
 * Workflows with their steps, as the service sends them.
 *
 * **When to use**: for the `template` of a message. An event has its workflow in short, `ActivityTemplate`.
 *
 * @since 0.1.0
 */
import type { Open } from "../contract/KnownValues.ts"
import type { NotificationTrigger } from "./NotificationTrigger.ts"
import type { StepFilter } from "./StepFilter.ts"
import type { MonthlyType, Ordinal, OrdinalValue, TimeUnit, WeekDay } from "./Timing.ts"

/** When in a day, week or month a timed digest ends (API document: Resources, TimedConfig). */
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
 * The settings of a digest or delay step: the four shapes of the document as one, because their `type` does not tell
 * them apart and may be newer than this version (API document: Resources, NotificationStep).
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
  /** The set times of a timed digest. */
  readonly timed?: TimedConfig
  /** Whether the digest backs off. */
  readonly backoff?: boolean
  /** How long it backs off, in `backoffUnit`. */
  readonly backoffAmount?: number
  /** Unit of `backoffAmount`. */
  readonly backoffUnit?: TimeUnit
  /** Whether a running digest is updated. */
  readonly updateMode?: boolean
  /** Path of the time in the payload, for a scheduled delay. */
  readonly delayPath?: string
}

/** Where the service sends replies to a step (API document: Resources, NotificationStep). */
export interface ReplyCallback {
  /** Whether replies are sent on. */
  readonly active?: boolean
  /** URL to which they are sent. */
  readonly url?: string
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
