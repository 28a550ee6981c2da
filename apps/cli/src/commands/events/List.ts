import { largestPage } from "@signalbox/core/Operations"
import { setFlagsFromString } from "node:v8"
import type { ActivityNotification } from "@signalbox/core/Records"
import { Events, type PageOfWalk } from "@signalbox/core/Events"
import * as EventWalk from "@signalbox/core/EventWalk"
import * as IdempotencyPolicy from "@signalbox/core/IdempotencyPolicy"
import { type Filter, format as formatFilter, localOnly, matches, toQuery } from "@signalbox/operator/filter/Filter"
import { restoring } from "@signalbox/operator/reading/Restored"
import { counted } from "@signalbox/operator/text/Counted"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { chooseConnection, onConnection } from "../../connection/Connection.ts"
import type { ConnectionOptions } from "../../connection/ConnectionFlags.ts"
import { loadOwnRules } from "../../connection/OwnRules.ts"
import { usage } from "../../failure/CommandError.ts"
import { openOutput } from "../../output/Output.ts"
import { type OutputOptions, zoneFor } from "../../output/OutputFlags.ts"
import { startProgress } from "../../output/Progress.ts"
import { eventListing } from "./EventListing.ts"
import { filterOf, withSince } from "./FilterArgument.ts"
import { follow } from "./Follow.ts"
import { requireOpenEnd } from "./FollowEvents.ts"
import * as ResumeCursor from "./ResumeCursor.ts"

/** The input of `events list`. */
export interface ListInput extends OutputOptions, ConnectionOptions {
  readonly filter: ReadonlyArray<string>
  readonly limit: Option.Option<number>
  readonly all: boolean
  readonly follow: boolean
  readonly cursor: Option.Option<string>
  /** A point in time in the form of filters: `24h`. */
  readonly since: Option.Option<string>
}

const defaultLimit = 50

/** Where a listing starts and how much of it is wanted. */
interface Range {
  readonly filter: Filter
  readonly start: ResumeCursor.ResumeCursor
  readonly limit: number
  /** Ends the listing before the first matching event for which it returns false. */
  readonly fits?: (event: ActivityNotification) => boolean
}

/** How far a listing has come. */
interface Position {
  printed: number
  read: number
  /** Where the listing continues; absent after its end. */
  next: ResumeCursor.ResumeCursor | undefined
}

/** Where the cursor of a listing with this filter points to; the first page without one. */
const readStart = Effect.fnUntraced(function* (filter: Filter, limit: number, cursor: Option.Option<string>) {
  const first: ResumeCursor.ResumeCursor = { page: 0, skip: 0, pageSize: pageSizeFor(limit, filter) }
  if (Option.isNone(cursor)) return first
  const start = ResumeCursor.parse(cursor.value, formatFilter(filter))
  if (start === undefined)
    return yield* usage(`--cursor is "${cursor.value}"; expected the cursor of an earlier listing`)
  return start === "other filter"
    ? yield* usage("--cursor belongs to another filter; give the filter of its listing")
    : start
})

/** The page size that divides the limit best, so that few events are read and not printed. */
const pageSizeFor = (limit: number, filter: Filter): number =>
  Number.isFinite(limit) && !localOnly(filter) ? Math.ceil(limit / Math.ceil(limit / largestPage)) : largestPage

/** The matching events of a page that the range has room for, and how many events of the page come before its end. */
const take = (
  page: ReadonlyArray<ActivityNotification>,
  skip: number,
  { filter, fits = () => true }: Range,
  room: number
) => {
  const rows: Array<ActivityNotification> = []
  let looked = Math.min(skip, page.length)
  for (const event of page.slice(skip)) {
    const matching = matches(filter, event)
    if (rows.length === room || (matching && !fits(event))) return { rows, looked, isFull: true }
    looked += 1
    if (matching) rows.push(event)
  }
  return { rows, looked, isFull: rows.length === room }
}

const walk = Effect.fnUntraced(function* <E>(
  range: Range,
  print: (rows: ReadonlyArray<ActivityNotification>) => Effect.Effect<void, E>,
  position: Position
) {
  const { filter, limit, start } = range
  const events = restoring(yield* Events)
  const query = toQuery(filter, yield* Clock.currentTimeMillis)
  const pages = yield* EventWalk.make(events, {}, { cursor: ResumeCursor.pageCursor(start, query) })
  let { page: number, skip } = start
  for (;;) {
    const page: PageOfWalk | undefined = yield* pages.next
    if (page === undefined) break
    const { isFull, looked, rows } = take(page.data, skip, range, limit - position.printed)
    const isWholePage = looked >= page.data.length
    const isEnd = isWholePage && !page.hasMore
    const next: ResumeCursor.ResumeCursor = {
      page: isWholePage ? number + 1 : number,
      skip: isWholePage ? 0 : looked,
      pageSize: start.pageSize,
      ...ResumeCursor.periodOf(page.cursor)
    }
    const passed = looked - skip
    // A signal takes effect between pages, so that the cursor is right.
    yield* Effect.uninterruptible(
      Effect.andThen(
        print(rows),
        Effect.sync(() => {
          position.printed += rows.length
          position.read += passed
          position.next = isEnd ? undefined : next
        })
      )
    )
    if (isEnd || isFull) return
    number += 1
    skip = 0
  }
  position.next = undefined
}, Effect.scoped)

/** Lists events into memory: at most `limit`, and none from the first that does not fit. */
export const listEvents = Effect.fnUntraced(function* (
  filter: Filter,
  limit: number,
  cursor: Option.Option<string>,
  fits: (event: ActivityNotification) => boolean
) {
  const start = yield* readStart(filter, limit, cursor)
  const events: Array<ActivityNotification> = []
  const position: Position = { printed: 0, read: 0, next: start }
  const collect = (rows: ReadonlyArray<ActivityNotification>) => Effect.sync(() => void events.push(...rows))
  yield* walk({ filter, limit, start, fits }, collect, position)
  const { next } = position
  return { events, next: next === undefined ? undefined : ResumeCursor.format(next, formatFilter(filter)) }
})

const resumeNote = ({ next }: Position, filter: Filter): string =>
  next === undefined ? "" : `; continue with --cursor ${ResumeCursor.format(next, formatFilter(filter))}`

const endNote = ({ next, printed, read }: Position): string | undefined => {
  if (next !== undefined) return "There are more events (--all prints them)"
  if (printed > 0) return undefined
  return read === 0 ? "No events match" : `None of ${counted(read, "event")} match`
}

/** Listings of more events run long enough for garbage to matter; for shorter ones, starting fast does. */
const longListing = 500

/**
 * Keeps the heap near its live size: printed pages become garbage, and by default V8 lets 100 MB of it accumulate.
 */
const keepHeapSmall = Effect.sync(() => {
  setFlagsFromString("--semi-space-growth-factor=1")
  setFlagsFromString("--heap-growing-percent=20")
})

/** Lists events, newest first. */
export const list = Effect.fnUntraced(function* (input: ListInput) {
  const filter = yield* filterOf({ ...input, filter: yield* withSince(input.filter, input.since) })
  if (input.all && Option.isSome(input.limit)) return yield* usage("--all and --limit cannot be used together")
  if (input.follow && (input.all || Option.isSome(input.cursor))) {
    return yield* usage("--follow cannot be used with --all or --cursor")
  }
  if (input.follow) yield* requireOpenEnd(filter, "--follow")
  const limit = input.all ? Number.POSITIVE_INFINITY : Option.getOrElse(input.limit, () => defaultLimit)
  const start = yield* readStart(filter, limit, input.cursor)
  const now = yield* Clock.currentTimeMillis
  const output = yield* openOutput(eventListing(zoneFor(input, now), now, filter), input)
  yield* loadOwnRules
  const connection = yield* chooseConnection(input)
  if (limit > longListing || input.follow) yield* keepHeapSmall
  if (input.follow) {
    return yield* follow(filter, limit, output, connection).pipe(onConnection(connection))
  }
  const position: Position = { printed: 0, read: 0, next: start }
  const progress = yield* startProgress("event", input.quiet)
  const print = (rows: ReadonlyArray<ActivityNotification>) =>
    Effect.flatMap(output.rows(rows), () => progress.show(position.printed + rows.length, limit))
  yield* walk({ filter, limit, start }, print, position).pipe(
    Effect.ensuring(progress.clear),
    // Reads need no keys, and making keys loads all of Node's cryptography: a fifth of the time in which Node starts.
    Effect.provideService(IdempotencyPolicy.IdempotencyPolicy, IdempotencyPolicy.off),
    onConnection(connection),
    Effect.tapError(({ _tag }) =>
      _tag === "OutputClosed" || position.printed === 0
        ? Effect.void
        : output.note(`Printed ${counted(position.printed, "event")}${resumeNote(position, filter)}`)
    ),
    Effect.onInterrupt(() =>
      output.note(`Interrupted after ${counted(position.printed, "event")}${resumeNote(position, filter)}`)
    )
  )
  // The header line of a CSV file is printed also where nothing matched.
  if (position.printed === 0) yield* output.rows([])
  const note = endNote(position)
  // A caller who sets a limit expects more; the default limit must not make a cut list look complete.
  const isCut = position.next !== undefined && Option.isNone(input.limit)
  if (note !== undefined) yield* (isCut ? output.warning : output.note)(`${note}${resumeNote(position, filter)}`)
})
