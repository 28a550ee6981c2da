/**
 * The operation `events.list` without its streams.
 *
 * **When to use**: programs that list single pages, or walk with `EventWalk`, and must start soon; `effect/Stream` has
 * its size. All others use the service `Events`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { CallState } from "../call/CallState.ts"
import type { Connection } from "../transport/Connection.ts"
import type { EventPage } from "../models/EventPage.ts"
import { makeCall } from "../call/Call.ts"
import { wired } from "../call/WiredOperation.ts"
import { adviseRead } from "../errors/Advice.ts"
import { ListEventsError } from "../errors/SignalboxError.ts"
import { type EventFilters, listWire, requestOfFilters } from "./EventFilters.ts"
import type { Transport } from "../transport/Transport.ts"

export type { EventFilters } from "./EventFilters.ts"

/** Lists one page; see `Events.list`. */
export type ListEvents = (filters?: EventFilters) => Effect.Effect<EventPage, ListEventsError>

/**
 * Makes the operation; its policies are those of the surroundings.
 */
export const make: Effect.Effect<ListEvents, never, Transport | Connection | CallState> = Effect.suspend(() =>
  Effect.map(
    makeCall({
      operation: wired(listWire),
      advise: adviseRead,
      makeError: (facts) => new ListEventsError({ ...facts, operation: "events.list" })
    }),
    (call) =>
      (filters = {}) =>
        call({ query: requestOfFilters(filters) })
  )
)
