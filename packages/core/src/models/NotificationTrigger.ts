/**
 * How workflows are triggered, as the service sends it.
 *
 * **When to use**: to find the identifier and the variables of a workflow in an event's `template`.
 *
 * @since 0.1.0
 */
export type { TriggerVariable, NotificationTrigger } from "./Records.ts"
