/**
 * How workflows are triggered, as the service sends it.
 *
 * **When to use**: to find the identifier and the variables of a workflow in an event's `template`.
 *
 * @since 0.1.0
 */
import type { triggerTypes, Open } from "../contract/KnownValues.ts"

/** A variable that a trigger takes (API document: Resources, Workflow). */
export interface TriggerVariable {
  /** Name of the variable. */
  readonly name: string
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
