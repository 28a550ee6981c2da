/**
 * Workflows with their steps, as the service sends them.
 *
 * **When to use**: for the `template` of a message. An event has its workflow in short, `ActivityTemplate`.
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
  Workflow
} from "./Records.ts"
