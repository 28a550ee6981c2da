/** How workflows are triggered, exactly as the API document has it (Resources, Workflow). */
import * as Schema from "effect/Schema"
import { record } from "./Marks.ts"
import { triggerTypes } from "./KnownValues.ts"

/** A variable that a trigger takes (API document: Resources, Workflow). */
export const TriggerVariable = record("TriggerVariable", {
  /** Name of the variable. */
  name: Schema.String
})

/** How a workflow is triggered and which variables it takes (API document: Resources, Workflow). */
export const NotificationTrigger = record("NotificationTrigger", {
  /** Way in which the workflow is triggered. */
  type: Schema.Literals(triggerTypes),
  /** Identifier by which the client triggers the workflow. */
  identifier: Schema.String,
  /** Variables taken from the payload. */
  variables: Schema.Array(TriggerVariable),
  /** Variables taken from the subscriber. */
  subscriberVariables: Schema.optionalKey(Schema.Array(TriggerVariable))
})
