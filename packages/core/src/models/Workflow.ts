/**
 * Workflows with their steps, triggers, conditions and times, as the service sends them.
 *
 * **When to use**: for the `template` of a message, and for the conditions, the metadata and the digest of an event's jobs.
 * An event has its workflow in short, `ActivityTemplate`.
 *
 * @since 0.1.0
 */
export type {
  TimedConfig,
  StepMetadata,
  ReplyCallback,
  NotificationStepVariant,
  NotificationStep,
  SubscriberPreferenceChannels,
  NotificationGroup,
  Workflow,
  TriggerVariable,
  NotificationTrigger,
  FieldFilterPart,
  StepFilter,
  TimeUnit,
  WeekDay,
  Ordinal,
  OrdinalValue,
  MonthlyType
} from "./Records.ts"
