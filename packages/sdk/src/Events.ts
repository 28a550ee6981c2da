import type { ListEventsError } from "@signalbox/core/Errors"
import {
  type EventFilters,
  type ListEvents as List,
  makeList,
  type PageOfWalk,
  type PagesOptions
} from "@signalbox/core/Events"
import * as EventWalk from "@signalbox/core/EventWalk"
import type { EventPage } from "@signalbox/core/Records"
import * as Effect from "effect/Effect"
import type { CallResult } from "./CallResult.ts"
import type { ClientBase } from "./ClientBase.ts"
import type { CallOptions } from "./ClientOptions.ts"
import { type EventList, type EventOf, makeEventList } from "./EventList.ts"
import { callSite } from "./internal/CallSite.ts"
import { checkPagesOptions } from "./internal/OptionRules.ts"
import type { Runner } from "./internal/Runner.ts"

/** Lists triggered events; see {@link EventsClient.events}. */
export interface ListEvents {
  /**
   * Lists the events of the environment, newest first (API document: Endpoints, List all events): `await` returns one
   * page, `for await` iterates over all events. Rejects with a `ListEventsError`.
   *
   * @example
   * ```ts
   * import { createClientFromEnv } from "@signalbox/sdk"
   *
   * const client = createClientFromEnv()
   * const page = await client.events.list({ channels: ["email"], limit: 50 })
   * for await (const event of client.events.list({ subscriberIds: "user-7" })) console.log(event.transactionId)
   * for await (const { payload } of client.events.list<{ orderId: string }>()) console.log(payload?.orderId)
   * ```
   */
  <Payload = unknown>(filters?: EventFilters, options?: CallOptions): EventList<EventOf<Payload>>
  /** Returns one page or the error as a value; rejects only with a `ClientOptionError`. */
  readonly result: <Payload = unknown>(
    filters?: EventFilters,
    options?: CallOptions
  ) => Promise<CallResult<EventPage<EventOf<Payload>>, ListEventsError>>
}

/** A client that lists events, made by `createEventsClient`. */
export interface EventsClient extends ClientBase {
  /** Triggered events. */
  readonly events: {
    readonly list: ListEvents
  }
}

/** The member `events` of a client. @internal */
export const eventsOf = ({ build, call, iteration, result }: Runner): EventsClient["events"] => {
  const made = build(makeList)
  const listEvents: List = (filters) => made()(filters)
  const listResult = (filters?: EventFilters, callOptions?: CallOptions) =>
    result("events.list", listEvents(filters), callOptions, callSite(listResult))
  const list = Object.assign(
    function listPage(filters?: EventFilters, callOptions?: CallOptions): EventList {
      // The page is fetched when it is awaited, where the stack no longer shows the caller.
      const site = callSite(listPage)
      const walk = <A>(elementsOf: (page: PageOfWalk) => ReadonlyArray<A>, options?: PagesOptions) =>
        iteration(
          "events.list",
          Effect.map(EventWalk.make({ list: listEvents }, filters, options), ({ next }) =>
            Effect.map(next, (page) => page && elementsOf(page))
          ),
          callOptions,
          site
        )
      return makeEventList({
        page: () => call("events.list", listEvents(filters), callOptions, site),
        events: () => walk(({ data }) => data),
        pages: (options) => {
          checkPagesOptions(options)
          return walk((page) => [page], options)
        },
        result: () => result("events.list", listEvents(filters), callOptions, site)
      })
    },
    { result: listResult }
  )
  // The type of the payload is the caller's: nothing depends on it at run time.
  return { list: list as ListEvents }
}
