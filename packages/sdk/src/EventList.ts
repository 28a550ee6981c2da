import type { ActivityNotification } from "@signalbox/core/Activity"
import type { EventPage } from "@signalbox/core/EventPage"
import type { PageOfWalk, PagesOptions } from "@signalbox/core/EventFilters"
import type { ListEventsError } from "@signalbox/core/ListEventsError"
import type { CallResult } from "./CallResult.ts"

/**
 * A listing: `await` returns one page, `for await` iterates over the events of all pages.
 *
 * Nothing is sent until it is awaited or iterated. Breaking out of a loop stops sending.
 */
export interface EventList extends Promise<EventPage>, AsyncIterable<ActivityNotification> {
  /**
   * Iterates over the pages. Events that arrive meanwhile do not shift the pages, and no record appears twice. The
   * `cursor` of a page is where another iteration can resume.
   */
  readonly pages: (options?: PagesOptions) => AsyncIterable<PageOfWalk>
  /** One page or the error, with the facts of the call; rejects only with a `ClientOptionError`. */
  readonly result: () => Promise<CallResult<EventPage, ListEventsError>>
}

interface Sources {
  readonly page: () => Promise<EventPage>
  readonly events: () => AsyncIterable<ActivityNotification>
  readonly pages: EventList["pages"]
  readonly result: EventList["result"]
}

/** Makes a listing; the page is fetched once, when it is first awaited. */
export const makeEventList = (sources: Sources): EventList => {
  let page: Promise<EventPage> | undefined
  const promise = () => (page ??= sources.page())
  return {
    // The listing is a promise that starts when it is awaited, which no class of the platform is.
    // oxlint-disable-next-line unicorn/no-thenable
    then: (onValue, onError) => promise().then(onValue, onError),
    catch: (onError) => promise().catch(onError),
    finally: (onEnd) => promise().finally(onEnd),
    [Symbol.toStringTag]: "EventList",
    [Symbol.asyncIterator]: () => sources.events()[Symbol.asyncIterator](),
    pages: sources.pages,
    result: sources.result
  }
}
