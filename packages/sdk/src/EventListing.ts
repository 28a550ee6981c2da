import type { ActivityNotification } from "@signalbox/core/Activity"
import type { EventPage } from "@signalbox/core/EventPage"
import type { PageOfWalk } from "@signalbox/core/Events"
import { abortable } from "./internal/Abortable.ts"

/**
 * A listing of events that was asked for: `await` gives its first page, `for await` walks over all events.
 *
 * Nothing is sent before one of them begins. Leaving the loop sends nothing more.
 */
export interface EventListing extends Promise<EventPage>, AsyncIterable<ActivityNotification> {
  /** Walks over pages; each has a `cursor` where the walk can go on, also in another process. */
  readonly pages: () => AsyncIterable<PageOfWalk>
}

/** What a listing is made from. */
export interface EventListingParts {
  readonly page: () => Promise<EventPage>
  readonly pages: () => Promise<AsyncIterable<PageOfWalk>>
  readonly events: () => Promise<AsyncIterable<ActivityNotification>>
  readonly signal: AbortSignal | undefined
}

async function* walk<A>(open: () => Promise<AsyncIterable<A>>, signal: AbortSignal | undefined): AsyncGenerator<A> {
  const iterator = (await open())[Symbol.asyncIterator]()
  try {
    while (true) {
      const next = await abortable(() => iterator.next(), signal)
      if (next.done === true) return
      yield next.value
    }
  } finally {
    await iterator.return?.()
  }
}

/** Makes a listing that begins when it is first used. */
export const makeEventListing = ({ events, page, pages, signal }: EventListingParts): EventListing => {
  let first: Promise<EventPage> | undefined
  const begin = () => (first ??= page())
  return {
    // A listing is a promise for its first page; `then` is what makes it one.
    then: (onFulfilled, onRejected) => begin().then(onFulfilled, onRejected),
    catch: (onRejected) => begin().catch(onRejected),
    finally: (onFinally) => begin().finally(onFinally),
    [Symbol.toStringTag]: "EventListing",
    [Symbol.asyncIterator]: () => walk(events, signal),
    pages: () => walk(pages, signal)
  }
}
