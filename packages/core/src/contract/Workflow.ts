/** Workflows, exactly as the API document has them (Resources, Workflow). */
import * as Schema from "effect/Schema"
import { record } from "./Marks.ts"
import { FreeForm } from "./FreeForm.ts"
import { NotificationTrigger } from "./NotificationTrigger.ts"
import { StepFilter } from "./StepFilter.ts"
import { StepMetadata } from "./StepMetadata.ts"

/** Where the service sends replies to a step (API document: Resources, NotificationStep). */
export const ReplyCallback = record("ReplyCallback", {
  /** Whether replies are sent on. */
  active: Schema.optionalKey(Schema.Boolean),
  /** URL to which they are sent. */
  url: Schema.optionalKey(Schema.String)
})

/** A variant of a step: the fields of a step without `variants` (API document: Resources, NotificationStep). */
export const NotificationStepVariant = record("NotificationStepVariant", {
  /** Internal identifier of the step. */
  _id: Schema.optionalKey(Schema.String),
  /** Identifier of the step that stays the same across versions. */
  uuid: Schema.optionalKey(Schema.String),
  /** Name of the step. */
  name: Schema.optionalKey(Schema.String),
  /** Internal identifier of the step's message template. */
  _templateId: Schema.optionalKey(Schema.String),
  /** Whether the step runs. */
  active: Schema.optionalKey(Schema.Boolean),
  /** Whether the workflow stops when the step fails. */
  shouldStopOnFail: Schema.optionalKey(Schema.Boolean),
  /** Message template of the step; the document does not show its fields. */
  template: Schema.optionalKey(FreeForm),
  /** Conditions under which the step runs. */
  filters: Schema.optionalKey(Schema.Array(StepFilter)),
  /** Internal identifier of the step before this one. */
  _parentId: Schema.optionalKey(Schema.String),
  /** Settings of a digest or delay. */
  metadata: Schema.optionalKey(StepMetadata),
  /** Where replies are sent. */
  replyCallback: Schema.optionalKey(ReplyCallback)
})

/** A step of a workflow (API document: Resources, NotificationStep). */
export const NotificationStep = record("NotificationStep", {
  ...NotificationStepVariant.fields,
  /** Variants of the step, which have no variants of their own. */
  variants: Schema.optionalKey(Schema.Array(NotificationStepVariant))
})

/** The channels that a workflow uses unless the subscriber chose otherwise (API document: Resources, Workflow). */
export const SubscriberPreferenceChannels = record("SubscriberPreferenceChannels", {
  /** Whether e-mail is on. */
  email: Schema.optionalKey(Schema.Boolean),
  /** Whether SMS is on. */
  sms: Schema.optionalKey(Schema.Boolean),
  /** Whether the inbox is on. */
  in_app: Schema.optionalKey(Schema.Boolean),
  /** Whether chat is on. */
  chat: Schema.optionalKey(Schema.Boolean),
  /** Whether push is on. */
  push: Schema.optionalKey(Schema.Boolean)
})

/** A group that workflows are sorted into (API document: Resources, Workflow). */
export const NotificationGroup = record("NotificationGroup", {
  /** Name of the group. */
  name: Schema.String,
  /** Environment that owns the group. */
  _environmentId: Schema.String,
  /** Organization that owns the group. */
  _organizationId: Schema.String,
  /** Internal identifier of the group. */
  _id: Schema.optionalKey(Schema.String),
  /** Internal identifier of the group that this one was copied from. */
  _parentId: Schema.optionalKey(Schema.String)
})

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
export const Workflow = record("Workflow", {
  /** Name of the workflow. */
  name: Schema.String,
  /** Description of the workflow. */
  description: Schema.String,
  /** Whether the workflow can be triggered. */
  active: Schema.Boolean,
  /** Whether the workflow is a draft. */
  draft: Schema.Boolean,
  /** Channels that are on unless the subscriber chose otherwise. */
  preferenceSettings: SubscriberPreferenceChannels,
  /** Whether subscribers cannot switch the workflow off. */
  critical: Schema.Boolean,
  /** Tags of the workflow. */
  tags: Schema.Array(Schema.String),
  /** Steps of the workflow. */
  steps: Schema.Array(NotificationStep),
  /** Organization that owns the workflow. */
  _organizationId: Schema.String,
  /** Internal identifier of the user who made the workflow. */
  _creatorId: Schema.String,
  /** Environment that owns the workflow. */
  _environmentId: Schema.String,
  /** How the workflow is triggered. */
  triggers: Schema.Array(NotificationTrigger),
  /** Internal identifier of the workflow's group. */
  _notificationGroupId: Schema.String,
  /** Whether the workflow is deleted. */
  deleted: Schema.Boolean,
  /** When the workflow was deleted. */
  deletedAt: Schema.String,
  /** Who deleted the workflow. */
  deletedBy: Schema.String,
  /** Internal identifier of the workflow. */
  _id: Schema.optionalKey(Schema.String),
  /** Internal identifier of the workflow that this one was copied from. */
  _parentId: Schema.optionalKey(Schema.String),
  /** Group of the workflow. */
  notificationGroup: Schema.optionalKey(NotificationGroup),
  /** Custom data with string keys and any values. */
  data: Schema.optionalKey(FreeForm),
  /** Whether the integrations that the workflow needs are there; the document does not show its fields. */
  workflowIntegrationStatus: Schema.optionalKey(FreeForm)
})
