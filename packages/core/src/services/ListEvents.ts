/**
 * The operation `events.list` without its streams.
 *
 * **When to use**: programs that list single pages, or walk with `EventWalk`, and must start soon; `effect/Stream` has
 * its size. All others use the service `Events`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { EventPage } from "../models/Records.ts"
import type { CallServices } from "../call/Call.ts"
import { wiredCall } from "../call/WiredOperation.ts"
import { reading } from "../call/Classify.ts"
import { ListEventsError } from "../errors/Errors.ts"
import { type EventFilters, listWire, requestOfFilters } from "./EventFilters.ts"

/** Lists one page; see `Events.list`. */
export type ListEvents = (filters?: EventFilters) => Effect.Effect<EventPage, ListEventsError>

/**
 * Makes the operation; its policies are those of the surroundings.
 */
export const make: Effect.Effect<ListEvents, never, CallServices> = Effect.suspend(() =>
  Effect.map(
    wiredCall(listWire, ListEventsError, reading),
    (call) =>
      (filters = {}) =>
        call({ query: requestOfFilters(filters) })
  )
)
