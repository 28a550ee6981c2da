// Writing a given time as ISO 8601 reads no clock.
// @effect-diagnostics globalDate:off
/**
 * A walk over all pages of the event listing, one pull after the other.
 *
 * **When to use**: in worlds that have an iteration of their own, such as async iterators. `Events.pages` and
 * `Events.stream` are this walk as a `Stream`.
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import type { ActivityNotification, EventPage } from "../models/Records.ts"
import { type CallInfo, withInfo } from "../call/CallInfo.ts"
import * as EventCursor from "./EventCursor.ts"
import { withPartKey } from "./PartKey.ts"
import { withDocs } from "../errors/Advice.ts"
import { defined } from "../errors/Defined.ts"
import {
  type EventFilters,
  type ListEvents,
  type PageOfWalk,
  type PagesOptions,
  requestOfFilters
} from "./EventFilters.ts"
import { ListEventsError } from "../errors/Errors.ts"
import { InvalidRequest, MalformedResponse } from "../errors/Reason.ts"

/** A walk in progress. */
export interface EventWalk {
  /** The next page; `undefined` after the last one. One pull at a time. */
  readonly next: Effect.Effect<PageOfWalk | undefined, ListEventsError>
}

interface Fetched {
  readonly page: EventPage
  readonly call: CallInfo
}

/** The position of a walk before a page. */
interface Step {
  readonly cursor: EventCursor.EventCursor
  /** The request for the page, if it was already sent. */
  readonly fetching: Fiber.Fiber<Fetched, ListEventsError> | undefined
  /** Consecutive pages without a new record. */
  readonly idle: number
}

// A service that reports `hasMore` forever must not cause an endless walk.
const idleLimit = 3

// Duplicates are on adjacent pages; a longer memory would grow with the listing.
const rememberedIds = 10_000

const failure = (reason: InvalidRequest | MalformedResponse, nextStep: string, call?: CallInfo): ListEventsError => {
  const advice = withDocs(nextStep, reason)
  return new ListEventsError({
    operation: "events.list",
    message: `events.list failed: ${reason.message}. ${advice}`,
    advice,
    mayHaveBeenApplied: false,
    reason,
    attempts: call?.attempts ?? [],
    ...defined({ idempotencyKey: call?.idempotencyKey, requestId: call?.requestId, status: call?.status })
  })
}

const wrongCursor = (rule: string): Effect.Effect<never, ListEventsError> =>
  Effect.fail(
    failure(
      new InvalidRequest({ message: `cursor: ${rule}`, fields: [{ path: "cursor", rule }] }),
      "Correct the cursor, or start without one. Nothing was sent."
    )
  )

// The largest distance from 1970 that a date can have.
const latest = 8.64e15

/** A time as ISO 8601, in UTC; `undefined` when it is out of range. */
const isoOf = (milliseconds: number): string | undefined =>
  // Formats a given time and reads no clock; `DateTime` would cost every program that lists events 1 KB.
  Math.abs(milliseconds) <= latest ? new Date(milliseconds).toISOString() : undefined

const timeOf = (text: string | undefined): number => {
  const at = Date.parse(text ?? "")
  return Number.isNaN(at) ? -Infinity : at
}

/**
 * The end of the walk in time: the service's clock when it responded, or its newest record if that is later. A record
 * with exactly that time must be included, even if the service treats the end as exclusive: the header has whole
 * seconds, records have milliseconds.
 */
const pinOf = ({ call, page }: Fetched): string | undefined => {
  const newest = page.data.reduce((latest, { createdAt }) => Math.max(latest, timeOf(createdAt)), -Infinity)
  const end = Math.max(timeOf(call.headers["date"]) + 1000, newest + 1)
  return isoOf(end)
}

const fetchPage = (
  list: ListEvents,
  { before, filters, page }: EventCursor.EventCursor
): Effect.Effect<Fetched, ListEventsError> => {
  const pinned = before === undefined ? filters : { ...filters, before }
  const query = page === 0 && filters.page === undefined ? pinned : { ...pinned, page }
  return Effect.map(withInfo(withPartKey(list(query), page)), ({ call, value }) => ({ page: value, call }))
}

const makeNovelty = () => {
  const seen = new Set<string>()
  return (records: ReadonlyArray<ActivityNotification>) =>
    records.filter(({ _id }) => {
      // Without an identifier, duplicates cannot be detected.
      if (_id === undefined) return true
      if (seen.has(_id)) return false
      seen.add(_id)
      if (seen.size > rememberedIds) for (const oldest of seen) return seen.delete(oldest)
      return true
    })
}

const startOf = (
  filters: EventFilters,
  { cursor: text }: PagesOptions
): Effect.Effect<EventCursor.EventCursor, ListEventsError> => {
  const given = requestOfFilters(filters)
  if (text === undefined) {
    return Effect.succeed({ page: given.page ?? 0, before: given.before, filters: given })
  }
  const cursor = EventCursor.parse(text)
  if (cursor === undefined) return wrongCursor("Expected the cursor of a page")
  const isOther = Object.keys(given).length > 0 && comparable(given) !== comparable(cursor.filters)
  return isOther ? wrongCursor("Expected the filters of the cursor, or no filters") : Effect.succeed(cursor)
}

/** Filters in comparable form, without the period: a cursor keeps its own, so that "the last 24 hours" can be resumed. */
const comparable = ({ after: _after, before: _before, ...filters }: EventCursor.EventCursor["filters"]): string =>
  JSON.stringify(Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)))

const walkFrom = (
  list: ListEvents,
  start: EventCursor.EventCursor,
  prefetch: boolean,
  scope: Scope.Scope
): EventWalk => {
  const novel = makeNovelty()
  let step: Step | undefined = start.isDone ? undefined : { cursor: start, fetching: undefined, idle: 0 }
  const pull = Effect.fnUntraced(function* () {
    if (step === undefined) return undefined
    const { cursor, fetching, idle } = step
    const fetched = yield* fetching === undefined ? fetchPage(list, cursor) : Fiber.join(fetching)
    const data = novel(fetched.page.data)
    if (!fetched.page.hasMore) {
      step = undefined
      return { ...fetched.page, data, cursor: EventCursor.format({ ...cursor, isDone: true }) }
    }
    const idleNow = data.length === 0 ? idle + 1 : 0
    if (idleNow >= idleLimit) {
      const message = `${idleLimit} consecutive pages had hasMore but no new record`
      const reason = new MalformedResponse({ message, status: fetched.call.status, accepted: false })
      return yield* Effect.fail(failure(reason, "Narrow the filters, so that fewer pages are needed.", fetched.call))
    }
    const following: EventCursor.EventCursor = {
      page: cursor.page + 1,
      before: cursor.before ?? pinOf(fetched),
      filters: cursor.filters
    }
    const onItsWay = prefetch ? yield* Effect.forkIn(fetchPage(list, following), scope) : undefined
    step = { cursor: following, fetching: onItsWay, idle: idleNow }
    return { ...fetched.page, data, cursor: EventCursor.format(following) }
  })
  return { next: Effect.suspend(pull) }
}

/**
 * Starts a walk. Events that arrive meanwhile do not shift its pages, and no record is returned twice. Closing the scope
 * aborts the request for the next page.
 *
 * Fails with `InvalidRequest` for an invalid cursor, or a cursor of other filters.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Events } from "@signalbox/core/Events"
 * import * as EventWalk from "@signalbox/core/EventWalk"
 *
 * const firstTwo = Effect.gen(function* () {
 *   const walk = yield* EventWalk.make(yield* Events, { limit: 50 })
 *   return [yield* walk.next, yield* walk.next]
 * }).pipe(Effect.scoped)
 * ```
 */
export const make = (
  { list }: { readonly list: ListEvents },
  filters: EventFilters = {},
  options: PagesOptions = {}
): Effect.Effect<EventWalk, ListEventsError, Scope.Scope> =>
  Effect.flatMap(startOf(filters, options), (start) =>
    Effect.map(Scope.Scope, (scope) => walkFrom(list, start, options.prefetch ?? true, scope))
  )
