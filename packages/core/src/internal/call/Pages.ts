import { isReadonlyArrayNonEmpty } from "effect/Array"
import * as Cause from "effect/Cause"
import * as Channel from "effect/Channel"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Pull from "effect/Pull"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { ActivityNotification } from "../../Activity.ts"
import { type CallInfo, withInfo } from "../../CallInfo.ts"
import * as EventCursor from "../../EventCursor.ts"
import type { EventPage } from "../../EventPage.ts"
import type { EventFilters, EventsShape, PageOfWalk, PagesOptions } from "../../Events.ts"
import { ListEventsError } from "../../ListEventsError.ts"
import { InvalidRequest, MalformedResponse } from "../../Reason.ts"
import { nextStepOf } from "./ErrorFacts.ts"
import { withoutUndefined } from "./Input.ts"
import { withPartKey } from "./PartKey.ts"

type List = EventsShape["list"]

interface Fetched {
  readonly page: EventPage
  readonly call: CallInfo
}

/** Where a walk stands before a page. */
interface Step {
  readonly cursor: EventCursor.EventCursor
  /** The page, when it is already on its way. */
  readonly fetching: Fiber.Fiber<Fetched, ListEventsError> | undefined
  /** Pages in a row that had no new record. */
  readonly idle: number
}

// A service that says `hasMore` forever must not keep its clients busy forever.
const idleLimit = 3

// Duplicates stand on pages next to each other; a longer memory would grow with the listing.
const rememberedIds = 10_000

const failure = (reason: InvalidRequest | MalformedResponse): ListEventsError =>
  new ListEventsError({
    operation: "events.list",
    message: `events.list failed: ${reason.message}. ${nextStepOf(reason)}`,
    reason,
    attempts: []
  })

const wrongCursor = (rule: string): ListEventsError =>
  failure(new InvalidRequest({ message: `cursor: ${rule}`, fields: [{ path: "cursor", rule }] }))

const timeOf = (text: string | undefined): number => {
  const at = Date.parse(text ?? "")
  return Number.isNaN(at) ? -Infinity : at
}

/**
 * The end of the walk in time: what the service's own clock said when it answered, or its newest record where that is
 * later. A record of that very time must stay inside, also where the service leaves out the end itself: the header has
 * whole seconds, records have milliseconds.
 */
const pinOf = ({ call, page }: Fetched): string | undefined => {
  const newest = page.data.reduce((latest, { createdAt }) => Math.max(latest, timeOf(createdAt)), -Infinity)
  const end = Math.max(timeOf(call.headers["date"]) + 1000, newest + 1)
  return Number.isFinite(end) ? isoOf(end) : undefined
}

const digits = (value: number, length = 2): string => String(value).padStart(length, "0")

/**
 * Writes a time as ISO 8601, in UTC. `DateTime` would cost every program that lists events 5 KB for this one line.
 *
 * Years begin in March here, so that the day that comes and goes is the last one of a year.
 */
const isoOf = (milliseconds: number): string => {
  const time = ((milliseconds % 86_400_000) + 86_400_000) % 86_400_000
  const day = (milliseconds - time) / 86_400_000 + 719_468
  const era = Math.floor(day / 146_097)
  const dayOfEra = day - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const march = Math.floor((5 * dayOfYear + 2) / 153)
  const month = march < 10 ? march + 3 : march - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  const date = `${digits(year, 4)}-${digits(month)}-${digits(dayOfYear - Math.floor((153 * march + 2) / 5) + 1)}`
  const hours = digits(Math.floor(time / 3_600_000))
  const minutes = digits(Math.floor(time / 60_000) % 60)
  const seconds = digits(Math.floor(time / 1000) % 60)
  return `${date}T${hours}:${minutes}:${seconds}.${digits(time % 1000, 3)}Z`
}

const fetchPage = (
  list: List,
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
      // Without an identifier nothing shows that two records are the same one.
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
  // Keys without a value are gone, which the type of the copy does not say.
  const given = withoutUndefined(filters) as EventCursor.EventCursor["filters"]
  if (text === undefined) {
    return Effect.succeed({ page: given.page ?? 0, before: given.before, filters: given })
  }
  const cursor = EventCursor.parse(text)
  if (cursor === undefined) return wrongCursor("Expected the cursor of a page")
  const isOther = Object.keys(given).length > 0 && sorted(given) !== sorted(cursor.filters)
  return isOther ? wrongCursor("Expected the filters that the cursor was made with, or none") : Effect.succeed(cursor)
}

const sorted = (filters: object): string => JSON.stringify(Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Fetches page after page, in the scope of the walk. */
const pullPages = (
  list: List,
  start: EventCursor.EventCursor,
  prefetch: boolean,
  scope: Scope.Scope
): Pull.Pull<PageOfWalk, ListEventsError> => {
  const novel = makeNovelty()
  let step: Step | undefined = { cursor: start, fetching: undefined, idle: 0 }
  return Effect.gen(function* () {
    if (step === undefined) return yield* Cause.done()
    const { cursor, fetching, idle } = step
    const fetched = yield* fetching === undefined ? fetchPage(list, cursor) : Fiber.join(fetching)
    const data = novel(fetched.page.data)
    if (!fetched.page.hasMore) {
      step = undefined
      return { ...fetched.page, data }
    }
    const idleNow = data.length === 0 ? idle + 1 : 0
    if (idleNow >= idleLimit) {
      const message = `${idleLimit} pages in a row said hasMore and had no new record`
      return yield* failure(new MalformedResponse({ message, status: fetched.call.status, accepted: false }))
    }
    const next: EventCursor.EventCursor = {
      page: cursor.page + 1,
      before: cursor.before ?? pinOf(fetched),
      filters: cursor.filters
    }
    const onItsWay = prefetch ? yield* Effect.forkIn(fetchPage(list, next), scope) : undefined
    step = { cursor: next, fetching: onItsWay, idle: idleNow }
    return { ...fetched.page, data, cursor: EventCursor.format(next) }
  })
}

/**
 * A stream of what each page holds.
 *
 * Made from its pull: `Stream.paginate`, `unwrap` and `flatMap` do the same and bring what merges streams into every
 * program that lists events.
 */
const streamOfPages = <A>(
  list: List,
  filters: EventFilters,
  options: PagesOptions,
  elementsOf: (page: PageOfWalk) => ReadonlyArray<A>
): Stream.Stream<A, ListEventsError> =>
  Stream.fromChannel(
    Channel.fromTransform((_, scope) =>
      Effect.map(startOf(filters, options), (start) => {
        const pages = pullPages(list, start, options.prefetch ?? true, scope)
        return Effect.gen(function* () {
          while (true) {
            const elements = elementsOf(yield* pages)
            if (isReadonlyArrayNonEmpty(elements)) return elements
          }
        })
      })
    )
  )

/** Walks over all pages of a listing. */
export const pagesOf = (
  list: List,
  filters: EventFilters = {},
  options: PagesOptions = {}
): Stream.Stream<PageOfWalk, ListEventsError> => streamOfPages(list, filters, options, (page) => [page])

/** Walks over all records of a listing. */
export const streamOf = (
  list: List,
  filters: EventFilters = {},
  options: PagesOptions = {}
): Stream.Stream<ActivityNotification, ListEventsError> => streamOfPages(list, filters, options, ({ data }) => data)
