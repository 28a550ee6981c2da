/**
 * Pages of the event listing, as the service sends them.
 *
 * **When to use**: for the response of `Events.list`. `Events.stream` and `EventWalk` read all pages.
 *
 * @since 0.1.0
 */
import type { ActivityNotification, EventPage as Page } from "./Records.ts"

/**
 * One page of the event listing (API document: Endpoints, List all events).
 *
 * `hasMore` alone says whether there is another page: a full page can be the last one, and a short page is not always
 * the last. `Event` is another type where the program states the type of the payloads.
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
export interface EventPage<Event = ActivityNotification> extends Omit<Page, "data"> {
  /** The records, one per trigger. */
  readonly data: ReadonlyArray<Event>
}
