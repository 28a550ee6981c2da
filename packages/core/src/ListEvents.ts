/**
 * The operation `events.list` without its streams.
 *
 * **When to use**: programs that list single pages, or walk with `EventWalk`, and must start soon; `effect/Stream` has
 * its size. All others use the service `Events`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { CallState } from "./CallState.ts"
import type { Connection } from "./Connection.ts"
import type { EventPage } from "./EventPage.ts"
import type { EventFilters } from "./Events.ts"
import { makeCall } from "./internal/call/Call.ts"
import { aftermathOfRead } from "./internal/call/ErrorFacts.ts"
import { ListEventsError } from "./ListEventsError.ts"
import { EventsList } from "./operation/EventsList.ts"
import type { Transport } from "./Transport.ts"

/** Lists one page; see `Events.list`. */
export type ListEvents = (filters?: EventFilters) => Effect.Effect<EventPage, ListEventsError>

/**
 * Makes the operation; its policies are those of the surroundings.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as ListEvents from "@signalbox/core/ListEvents"
 *
 * const program = Effect.gen(function* () {
 *   const list = yield* ListEvents.make
 *   const { data } = yield* list({ severity: "high", limit: 50 })
 *   return data.map(({ transactionId }) => transactionId)
 * })
 * ```
 */
export const make: Effect.Effect<ListEvents, never, Transport | Connection | CallState> = Effect.suspend(() =>
  Effect.map(
    makeCall({
      operation: EventsList,
      aftermathOf: aftermathOfRead,
      makeError: (facts) => new ListEventsError({ ...facts, operation: "events.list" })
    }),
    (call) =>
      (filters = {}) =>
        call({ query: filters })
  )
)
