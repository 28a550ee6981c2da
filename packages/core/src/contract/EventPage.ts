/** The page of the event listing, exactly as the API document has it (Endpoints, List all events). */
import * as Schema from "effect/Schema"
import { record } from "./Marks.ts"
import { ActivityNotification } from "./Activity.ts"

/**
 * One page of the event listing (API document: Endpoints, List all events).
 */
export const EventPage = record("EventPage", {
  /** Whether more records exist in the result set. */
  hasMore: Schema.Boolean,
  /** The records. */
  data: Schema.Array(ActivityNotification),
  /** Page size. */
  pageSize: Schema.Finite,
  /** Current page, counted from 0. */
  page: Schema.Finite
})
