/**
 * Pages of the event listing, as the service sends them.
 *
 * **When to use**: for the answer of `Events.list`. `Events.stream` and `EventWalk` go over all pages.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { ActivityNotification } from "./Activity.ts"
import * as Contract from "../contract/EventPage.ts"
import type { Read } from "./Read.ts"

const eventPageFields = {
  /** The records; each stands for one trigger. */
  data: Schema.Array(ActivityNotification)
}

/**
 * One page of the event listing, as read from a response (API document: Endpoints, List all events).
 *
 * `hasMore` alone says whether there is another page: a full page can be the last one, and a short one need not be.
 *
 * @example
 * ```ts
 * import type { EventPage } from "@signalbox/core/EventPage"
 *
 * const failed = (page: EventPage) =>
 *   page.data.filter(({ jobs = [] }) =>
 *     jobs.some(({ executionDetails }) => executionDetails.some(({ status }) => status === "Failed"))
 *   )
 *
 * failed({ hasMore: false, data: [], page: 0, pageSize: 10 }) // => []
 * ```
 */
export interface EventPage extends Read<typeof Contract.EventPage.fields, typeof eventPageFields> {}

/** Schema of {@link EventPage}. */
export const EventPage: Schema.Codec<EventPage> = Schema.Struct({ ...Contract.EventPage.fields, ...eventPageFields })
