/**
 * Pages of the event listing, as the service sends them.
 *
 * **When to use**: for the response of `Events.list`. `Events.stream` and `EventWalk` read all pages.
 *
 * @since 0.1.0
 */
import type { ActivityNotification } from "./Activity.ts"

/**
 * One page of the event listing, as read from a response (API document: Endpoints, List all events).
 *
 * `hasMore` alone says whether there is another page: a full page can be the last one, and a short page is not always the last.
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
export interface EventPage {
  /** Whether more records exist in the result set. */
  readonly hasMore: boolean
  /** The records, one per trigger. */
  readonly data: ReadonlyArray<ActivityNotification>
  /** Page size. */
  readonly pageSize: number
  /** Current page, counted from 0. */
  readonly page: number
}
