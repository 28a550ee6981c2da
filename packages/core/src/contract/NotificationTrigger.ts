/**
 * How workflows are triggered, exactly as the API document has it (Resources, Workflow).
 *
 * **When to use**: to compare a service or a fake with the document. Programs read with the module of the same name
 * outside of `contract`, which takes what services really send.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { triggerTypes } from "./KnownValues.ts"

export { triggerTypes } from "./KnownValues.ts"

const triggerVariableFields = {
  /** Name of the variable. */
  name: Schema.String
}

/** A variable that a trigger takes (API document: Resources, Workflow). */
export const TriggerVariable: Schema.Struct<typeof triggerVariableFields> = Schema.Struct(
  triggerVariableFields
).annotate({ identifier: "TriggerVariable" })

const notificationTriggerFields = {
  /** Way in which the workflow is triggered. */
  type: Schema.Literals(triggerTypes),
  /** Identifier by which the client triggers the workflow. */
  identifier: Schema.String,
  /** Variables taken from the payload. */
  variables: Schema.Array(TriggerVariable),
  /** Variables taken from the subscriber. */
  subscriberVariables: Schema.optionalKey(Schema.Array(TriggerVariable))
}

/** How a workflow is triggered and which variables it takes (API document: Resources, Workflow). */
export const NotificationTrigger: Schema.Struct<typeof notificationTriggerFields> = Schema.Struct(
  notificationTriggerFields
).annotate({ identifier: "NotificationTrigger" })
