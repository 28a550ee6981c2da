import {
  type EventFilters,
  type ListEvents as List,
  makeList,
  type PageOfWalk,
  type PagesOptions
} from "@signalbox/core/Events"
import * as EventWalk from "@signalbox/core/EventWalk"
import * as Effect from "effect/Effect"
import type { Client, ListEvents } from "../Client.ts"
import type { CallOptions } from "../ClientOptions.ts"
import { type EventList, makeEventList } from "../EventList.ts"
import { callSite } from "./CallSite.ts"
import { checkPagesOptions } from "./OptionRules.ts"
import type { Runner } from "./Runner.ts"

/** The member `events` of a client. */
export const eventsOf = ({ build, call, iteration, result }: Runner): Client["events"] => {
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
