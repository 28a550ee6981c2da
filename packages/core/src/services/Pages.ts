import { isReadonlyArrayNonEmpty } from "effect/Array"
import * as Cause from "effect/Cause"
import * as Channel from "effect/Channel"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as EventWalk from "./EventWalk.ts"
import type { EventFilters, ListEvents, PageOfWalk, PagesOptions } from "./EventFilters.ts"
import type { ListEventsError } from "../errors/Errors.ts"

/**
 * A stream of the elements of each page of a walk.
 *
 * Built from the walk's pull: `Stream.paginate`, `unwrap` and `flatMap` would do the same, but add the code that merges
 * streams to every program that lists events.
 */
export const streamOfPages = <A>(
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
