import * as Schema from "effect/Schema"

/** The ways in which a workflow can be triggered (API document: Resources, Workflow). */
export const triggerTypes = ["event"] as const

/** A variable that a trigger takes (API document: Resources, Workflow). */
export const TriggerVariable = Schema.Struct({
  /** Name of the variable. */
  name: Schema.String
}).annotate({ identifier: "TriggerVariable" })

/** How a workflow is triggered and which variables it takes (API document: Resources, Workflow). */
export const NotificationTrigger = Schema.Struct({
  /** Way in which the workflow is triggered. */
  type: Schema.Literals(triggerTypes),
  /** Identifier by which the client triggers the workflow. */
  identifier: Schema.String,
  /** Variables taken from the payload. */
  variables: Schema.Array(TriggerVariable),
  /** Variables taken from the subscriber. */
  subscriberVariables: Schema.optionalKey(Schema.Array(TriggerVariable))
}).annotate({ identifier: "NotificationTrigger" })
