/**
 * Pages of the event listing, as the service sends them.
 *
 * **When to use**: for the response of `Events.list`. `Events.stream` and `EventWalk` read all pages.
 *
 * @since 0.1.0
 */
export type { EventPage } from "./Records.ts"
