/**
 * Schemas of how workflows are triggered.
 *
 * **When to use**: to decode, encode or generate values with `effect/Schema`. Calls read without schemas, by tables
 * generated from these.
 *
 * @since 0.1.0
 */
import type * as Model from "../models/NotificationTrigger.ts"
import * as Schema from "effect/Schema"
import * as Contract from "../contract/NotificationTrigger.ts"
import { modelSchema } from "./ModelSchema.ts"
import { openEnum } from "./OpenEnum.ts"

/** Schema of `TriggerVariable`. */
export const TriggerVariable: Schema.Codec<Model.TriggerVariable> =
  /* @__PURE__ */ modelSchema<Model.TriggerVariable>()(Contract.TriggerVariable)

const notificationTriggerFields = {
  /** Way in which the workflow is triggered. */
  type: openEnum(Contract.triggerTypes),
  /** Variables taken from the payload. */
  variables: Schema.Array(TriggerVariable),
  /** Variables taken from the subscriber. */
  subscriberVariables: Schema.optionalKey(Schema.Array(TriggerVariable))
}

/** Schema of `NotificationTrigger`. */
export const NotificationTrigger: Schema.Codec<Model.NotificationTrigger> =
  /* @__PURE__ */ modelSchema<Model.NotificationTrigger>()(
    Schema.Struct({
      ...Contract.NotificationTrigger.fields,
      ...notificationTriggerFields
    })
  )
