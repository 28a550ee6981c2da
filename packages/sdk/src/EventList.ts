import type { ActivityNotification } from "@signalbox/core/Activity"
import type { EventPage } from "@signalbox/core/EventPage"
import type { PageOfWalk, PagesOptions } from "@signalbox/core/EventFilters"
import type { ListEventsError } from "@signalbox/core/ListEventsError"
import type { CallResult } from "./CallResult.ts"

/**
 * Events that were asked for: `await` gives one page, `for await` all events of all pages.
 *
 * Nothing is sent before it is awaited or iterated. Leaving a loop sends nothing more.
 */
export interface EventList extends Promise<EventPage>, AsyncIterable<ActivityNotification> {
  /**
   * Walks over the pages. Events that arrive meanwhile do not shift them, and no record comes twice; the `cursor` of a
   * page is where another walk can go on.
   */
  readonly pages: (options?: PagesOptions) => AsyncIterable<PageOfWalk>
  /** One page, or the error, as a value with what is known about the call; rejects only with a `ClientOptionError`. */
  readonly result: () => Promise<CallResult<EventPage, ListEventsError>>
}

interface Sources {
  readonly page: () => Promise<EventPage>
  readonly events: () => AsyncIterable<ActivityNotification>
  readonly pages: EventList["pages"]
  readonly result: EventList["result"]
}

/** Makes a list; the page is fetched when it is first awaited, and once. */
export const makeEventList = (sources: Sources): EventList => {
  let page: Promise<EventPage> | undefined
  const promise = () => (page ??= sources.page())
  return {
    // The list is a promise that begins when it is awaited, which no class of the platform is.
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
