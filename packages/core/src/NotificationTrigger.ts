import * as Schema from "effect/Schema"
import * as Contract from "./contract/NotificationTrigger.ts"
import { openEnum } from "./OpenEnum.ts"

/** A variable that a trigger takes (API document: Resources, Workflow). */
export class TriggerVariable extends Schema.Opaque<TriggerVariable>()(Contract.TriggerVariable) {}

/** How a workflow is triggered and which variables it takes (API document: Resources, Workflow). */
export class NotificationTrigger extends Schema.Opaque<NotificationTrigger>()(
  Schema.Struct({
    ...Contract.NotificationTrigger.fields,
    /** Way in which the workflow is triggered. */
    type: openEnum(Contract.triggerTypes),
    /** Variables taken from the payload. */
    variables: Schema.Array(TriggerVariable),
    /** Variables taken from the subscriber. */
    subscriberVariables: Schema.optionalKey(Schema.Array(TriggerVariable))
  })
) {}
