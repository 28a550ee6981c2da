import type { ActivityNotification, EventPage } from "@signalbox/core/Records"
import type { PageOfWalk, PagesOptions } from "@signalbox/core/Events"
import type { ListEventsError } from "@signalbox/core/Errors"
import type { CallResult } from "./CallResult.ts"

/** An iterator that is iterable and disposable: disposing of it is breaking out of its loop. */
export interface DisposableIterator<A> extends AsyncIterableIterator<A>, AsyncDisposable {}

/** An iterable that can be iterated over any number of times, each time from the start. */
export interface DisposableIterable<A> extends AsyncIterable<A> {
  readonly [Symbol.asyncIterator]: () => DisposableIterator<A>
}

/** An event whose payload has a type of the program; responses are not checked for it. */
export interface EventWith<Payload> extends Omit<ActivityNotification, "payload"> {
  /** Payload of the trigger. */
  readonly payload?: Payload
}

/** The event that a listing has: with a typed payload, where the program states its type. */
export type EventOf<Payload> = unknown extends Payload ? ActivityNotification : EventWith<Payload>

/**
 * A listing: `await` returns one page, `for await` iterates over the events of all pages.
 *
 * Nothing is sent until it is awaited or iterated. Breaking out of a loop stops sending.
 */
export interface EventList<Event = ActivityNotification> extends Promise<EventPage<Event>>, DisposableIterable<Event> {
  /**
   * Iterates over the pages. Events that arrive meanwhile do not shift the pages, and no record appears twice. The
   * `cursor` of a page is where another iteration can resume; it can return records of the first page again if events
   * arrived within a second of it and `before` is not set to a time in the past.
   */
  readonly pages: (options?: PagesOptions) => DisposableIterable<PageOfWalk<Event>>
  /** One page or the error, with the facts of the call; rejects only with a `ClientOptionError`. */
  readonly result: () => Promise<CallResult<EventPage<Event>, ListEventsError>>
}

interface Sources {
  readonly page: () => Promise<EventPage>
  readonly events: () => DisposableIterable<ActivityNotification>
  readonly pages: EventList["pages"]
  readonly result: EventList["result"]
}

/** The methods of a promise. */
export interface Awaitable<A> extends Pick<Promise<A>, "then" | "catch" | "finally"> {}

/** A promise whose work starts when it is first awaited, which no class of the platform has. */
export const awaitable = <A>(work: () => Promise<A>): Awaitable<A> => {
  let started: Promise<A> | undefined
  const promise = () => (started ??= work())
  return {
    // oxlint-disable-next-line unicorn/no-thenable
    then: (onValue, onError) => promise().then(onValue, onError),
    catch: (onError) => promise().catch(onError),
    finally: (onEnd) => promise().finally(onEnd)
  }
}

/** Makes a listing; the page is fetched once, when it is first awaited. */
export const makeEventList = (sources: Sources): EventList => ({
  ...awaitable(sources.page),
  [Symbol.toStringTag]: "EventList",
  [Symbol.asyncIterator]: () => sources.events()[Symbol.asyncIterator](),
  pages: sources.pages,
  result: sources.result
})
