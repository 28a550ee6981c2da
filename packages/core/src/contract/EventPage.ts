/**
 * The page of the event listing, exactly as the API document has it (Endpoints, List all events).
 *
 * **When to use**: to compare a service or a fake with the document. Programs read with the module of the same name
 * outside of `contract`, which takes what services really send.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { ActivityNotification } from "./Activity.ts"

const eventPageFields = {
  /** Whether more records exist in the result set. */
  hasMore: Schema.Boolean,
  /** The records. */
  data: Schema.Array(ActivityNotification),
  /** Page size. */
  pageSize: Schema.Finite,
  /** Current page, counted from 0. */
  page: Schema.Finite
}

/**
 * One page of the event listing (API document: Endpoints, List all events).
 */
export const EventPage: Schema.Struct<typeof eventPageFields> = Schema.Struct(eventPageFields).annotate({
  identifier: "EventPage"
})
