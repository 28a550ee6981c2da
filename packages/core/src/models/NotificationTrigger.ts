/**
 * How workflows are triggered, as the service sends it.
 *
 * **When to use**: to find the identifier and the variables of a workflow in an event's `template`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Contract from "../contract/NotificationTrigger.ts"
import { openEnum } from "../contract/OpenEnum.ts"
import type { Read } from "./Read.ts"

/** A variable that a trigger takes (API document: Resources, Workflow). */
export interface TriggerVariable extends Schema.Struct.Type<typeof Contract.TriggerVariable.fields> {}

/** Schema of {@link TriggerVariable}. */
export const TriggerVariable: Schema.Codec<TriggerVariable> = Contract.TriggerVariable

const notificationTriggerFields = {
  /** Way in which the workflow is triggered. */
  type: openEnum(Contract.triggerTypes),
  /** Variables taken from the payload. */
  variables: Schema.Array(TriggerVariable),
  /** Variables taken from the subscriber. */
  subscriberVariables: Schema.optionalKey(Schema.Array(TriggerVariable))
}

/** How a workflow is triggered and which variables it takes (API document: Resources, Workflow). */
export interface NotificationTrigger extends Read<
  typeof Contract.NotificationTrigger.fields,
  typeof notificationTriggerFields
> {}

/** Schema of {@link NotificationTrigger}. */
export const NotificationTrigger: Schema.Codec<NotificationTrigger> = Schema.Struct({
  ...Contract.NotificationTrigger.fields,
  ...notificationTriggerFields
})
