/**
 * Schema of a page of the event listing, with what reading tolerates.
 *
 * **When to use**: to decode, encode or generate values with `effect/Schema`. Calls read without schemas, by tables
 * generated from these.
 *
 * @since 0.1.0
 */
import type * as Model from "../models/EventPage.ts"
import * as Schema from "effect/Schema"
import { ActivityNotification } from "./Activity.ts"
import * as Contract from "../contract/EventPage.ts"
import { modelSchema } from "./ModelSchema.ts"

const eventPageFields = {
  /** The records, one per trigger. */
  data: Schema.Array(ActivityNotification)
}

/** Schema of `EventPage`. */
export const EventPage: Schema.Codec<Model.EventPage> = /* @__PURE__ */ modelSchema<Model.EventPage>()(
  Schema.Struct({ ...Contract.EventPage.fields, ...eventPageFields })
)
