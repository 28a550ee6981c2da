/**
 * The listing of triggered events.
 *
 * **When to use**: to find what was triggered, for whom, and its outcome.
 */
import { isReadonlyArrayNonEmpty } from "effect/Array"
import * as Cause from "effect/Cause"
import * as Channel from "effect/Channel"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { CallServices } from "../call/Call.ts"
import { reading } from "../call/Classify.ts"
import { wiredCall } from "../call/WiredOperation.ts"
import { ListEventsError } from "../errors/Errors.ts"
import type { ActivityNotification } from "../models/Records.ts"
import { CallService } from "./CallService.ts"
import {
  type EventFilters,
  type ListEvents,
  listWire,
  type PageOfWalk,
  type PagesOptions,
  requestOfFilters
} from "./EventFilters.ts"
import * as EventWalk from "./EventWalk.ts"

export * from "./EventFilters.ts"

/** Operations on events. */
export interface EventsShape {
  /**
   * Lists one page of the triggered events of the environment, newest first (API document: Endpoints, List all events).
   *
   * @example
   * ```ts
   * import { Events } from "@signalbox/core/Events"
   *
   * const program = Events.use((events) => events.list({ channels: ["email"], limit: 50 }))
   * ```
   */
  readonly list: ListEvents
  /**
   * Walks over all pages. Events that arrive during the walk do not shift the pages, and no record is returned twice. A
   * walk that resumes from a cursor can return records of the first page again; see `PagesOptions`.
   *
   * The walk continues while the service returns `hasMore`; a short or empty page is not the end. It fails with the
   * error of the page that could not be listed, with `InvalidRequest` for an invalid cursor, and with
   * `MalformedResponse` if three consecutive pages have `hasMore` but no new record.
   *
   * @example
   * ```ts
   * import * as Stream from "effect/Stream"
   * import { Events } from "@signalbox/core/Events"
   *
   * const cursors = (cursor: string | undefined) =>
   *   Stream.unwrap(Events.useSync((events) => events.pages({ limit: 50 }, { cursor }))).pipe(
   *     Stream.map((page) => page.cursor),
   *     Stream.take(10)
   *   )
   * ```
   */
  readonly pages: (filters?: EventFilters, options?: PagesOptions) => Stream.Stream<PageOfWalk, ListEventsError>
  /**
   * Walks over all records; see `pages`.
   *
   * @example
   * ```ts
   * import * as Stream from "effect/Stream"
   * import { Events } from "@signalbox/core/Events"
   *
   * const newest = Stream.unwrap(Events.useSync((events) => events.stream({ severity: "high" }))).pipe(
   *   Stream.take(100),
   *   Stream.runCollect
   * )
   * ```
   */
  readonly stream: (
    filters?: EventFilters,
    options?: PagesOptions
  ) => Stream.Stream<ActivityNotification, ListEventsError>
}

/** Makes the operation without the service, for programs that must be small. @internal */
export const makeList: Effect.Effect<ListEvents, never, CallServices> = /* @__PURE__ */ Effect.suspend(() =>
  Effect.map(
    wiredCall(listWire, ListEventsError, reading),
    (call) =>
      (filters = {}) =>
        call({ query: requestOfFilters(filters) })
  )
)

/**
 * A stream of the elements of each page of a walk.
 *
 * Built from the walk's pull: `Stream.paginate`, `unwrap` and `flatMap` would do the same, but add the code that merges
 * streams to every program that lists events.
 */
const streamOfPages = <A>(
  list: ListEvents,
  filters: EventFilters | undefined,
  options: PagesOptions | undefined,
  elementsOf: (page: PageOfWalk) => ReadonlyArray<A>
): Stream.Stream<A, ListEventsError> =>
  Stream.fromChannel(
    Channel.fromTransform((_, scope) =>
      Effect.map(Effect.provideService(EventWalk.make({ list }, filters, options), Scope.Scope, scope), ({ next }) =>
        Effect.gen(function* () {
          while (true) {
            const page = yield* next
            if (page === undefined) return yield* Cause.done()
            const elements = elementsOf(page)
            if (isReadonlyArrayNonEmpty(elements)) return elements
          }
        })
      )
    )
  )

/**
 * The listing of triggered events.
 */
export class Events
  extends /* @__PURE__ */ CallService<Events, EventsShape>()(
    "signalbox/core/Events",
    /* @__PURE__ */ Effect.map(makeList, (list) => ({
      list,
      pages: (filters, options) => streamOfPages(list, filters, options, (page) => [page]),
      stream: (filters, options) => streamOfPages(list, filters, options, ({ data }) => data)
    }))
  ) {}
