import { largestPage } from "@signalbox/core/Operations"
import { timeOf } from "@signalbox/operator/reading/EventKey"
import type { EventFilters } from "@signalbox/core/Events"
import type { ActivityJob, ActivityNotification } from "@signalbox/core/Records"
import {
  type Failure,
  type FailureGroup,
  failuresOf,
  isCause,
  withDistinctTitles
} from "@signalbox/operator/diagnosis/FailureGroup"
import { type Filter, localOnly, matches, toQuery } from "@signalbox/operator/filter/Filter"
import { eventResult, isFinal } from "@signalbox/operator/status/Status"
import type { Problem } from "@signalbox/operator/report/ProblemReport"
import type { WatchState } from "@signalbox/operator/window/Watch"
import { type Cursor, start } from "../Cursor.ts"
import { remembered } from "../../state/Remembered.ts"
import type { Selection } from "../Selection.ts"
import { newestFirst, type Sort, sorted } from "./EventColumns.ts"
import { filtered } from "./FilteredEvents.ts"
import { summaryOf } from "./LoadedEvents.ts"
import type { Sampled } from "./SampleReport.ts"
import { none, type UnreadableParts } from "./UnreadableParts.ts"

/** Records of one request: the largest page that the API allows. */
export const pageSize = largestPage

/** Why a page is loaded; its response is put into the list accordingly. */
export type LoadMode = "first" | "more" | "refresh" | "tail" | "window"

/** A list of events, filtered, loaded page by page. */
export interface EventsScreen extends Selection {
  readonly _tag: "Events"
  readonly id: number
  readonly filter: Filter
  readonly sort: Sort
  /** A filter under edit: it hides rows before the service is asked; absent unless one is typed. */
  readonly preview: Preview | undefined
  /** As loaded, newest first. */
  readonly events: ReadonlyArray<ActivityNotification>
  /** Older events that are not shown yet, because they are not masked yet; absent where none are. */
  readonly masking?: Masking | undefined
  /** New events, not shown yet so that no row moves under the cursor. */
  readonly fresh: ReadonlyArray<ActivityNotification>
  /** Whether more arrived at once than one request returns; showing them starts the list anew. */
  readonly overrun: boolean
  /** `before` of every further page: without it, pages shift while events arrive. */
  readonly pin: string | undefined
  readonly pages: number
  readonly hasMore: boolean
  readonly unreadable: UnreadableParts
  /** When the data was last read, in milliseconds since 1970. */
  readonly asOf: number | undefined
  readonly loading: LoadMode | undefined
  readonly problem: Problem | undefined
  /** The read that failed. */
  readonly lost: LoadMode | undefined
  readonly readAhead: ReadAhead | undefined
  /** How many new events a read of a live tail brought, of the last minute. */
  readonly arrivals: ReadonlyArray<Arrival>
  /** The sample that was read last; absent before the first one. */
  readonly sampled: Sampled | undefined
  /** The causes that have a number, the first one first: a number stays with its cause until the list is read anew. */
  readonly numbered: ReadonlyArray<string>
  /** The causes seen so far, while the list is watched for news; absent while it is not. */
  readonly watch: WatchState | undefined
}

/** New events that one read brought. */
export interface Arrival {
  readonly at: number
  /** When the list was read before. */
  readonly since: number
  readonly count: number
}

/** How long arrivals count for the rate of a live tail. */
const rateMilliseconds = 60_000

/** A few seconds say little: two events of the first one are not 120 a minute. */
const leastCovered = 5000

/** The arrivals that count for the rate. */
export const recentArrivals = ({ arrivals }: EventsScreen, now: number): ReadonlyArray<Arrival> =>
  arrivals.filter(({ at }) => at > now - rateMilliseconds)

/** New events a minute, as a live tail has counted them in the time that its reads cover. */
export const arrivalsPerMinute = (screen: EventsScreen, now: number): number => {
  const recent = recentArrivals(screen, now)
  const covered = recent.reduce((sum, { at, since }) => sum + at - since, 0)
  return Math.round(
    (recent.reduce((sum, { count }) => sum + count, 0) * rateMilliseconds) / Math.max(leastCovered, covered)
  )
}

/** A list that is being masked part by part. */
interface Masking {
  readonly rest: ReadonlyArray<ActivityNotification>
  /** The cursor before. */
  readonly cursor: Cursor
}

/** A filter under edit. */
interface Preview {
  readonly filter: Filter
  readonly now: number
  /** The event under the cursor before anything was typed. */
  readonly from: ActivityNotification | undefined
}

/** Pages that are read one after another without a key: at the start, or as a search further back. */
export interface ReadAhead {
  readonly purpose: "start" | "search"
  readonly pagesLeft: number
  /** How many events end it: loaded ones at the start, matching ones in a search. */
  readonly until: number
  /** An event older than this, in milliseconds since 1970, ends it too. */
  readonly since?: number
}

/** A list with nothing loaded. */
export const make = (id: number, filter: Filter, sort: Sort = newestFirst): EventsScreen => ({
  _tag: "Events",
  id,
  filter,
  sort,
  preview: undefined,
  events: [],
  fresh: [],
  overrun: false,
  pin: undefined,
  pages: 0,
  hasMore: false,
  unreadable: none,
  asOf: undefined,
  loading: undefined,
  problem: undefined,
  lost: undefined,
  readAhead: undefined,
  arrivals: [],
  sampled: undefined,
  numbered: [],
  watch: undefined,
  cursor: start,
  selection: new Set(),
  anchor: undefined
})

/** The loaded events that pass the whole filter, in the order of the list. */
export const visible = (screen: EventsScreen): ReadonlyArray<ActivityNotification> =>
  sorted(passing(screen), screen.sort)

/** Those that pass the whole filter, also its parts that the API lacks, the newest first. */
const passing = ({ events, filter, preview }: EventsScreen): ReadonlyArray<ActivityNotification> => {
  if (preview !== undefined) return filtered(events, preview.filter, preview.now)
  // The same list for as long as nothing is hidden, so that results computed for it stay valid.
  return localOnly(filter) ? filtered(events, filter) : events
}

const numberedGroups = remembered(
  (events: ReadonlyArray<ActivityNotification>, numbered: ReadonlyArray<string>): ReadonlyArray<FailureGroup> => {
    const places = new Map(numbered.map((cause, place) => [cause, place]))
    const placeOf = ({ cause }: FailureGroup) => places.get(cause) ?? places.size
    return withDistinctTitles(summaryOf(events).groups.toSorted((a, b) => placeOf(a) - placeOf(b)))
  }
)

/**
 * The failures among all loaded events in groups, whatever the filter hides, in the order of their numbers: those that had
 * a number before, then the most frequent first.
 */
export const groupsOf = ({ events, numbered }: EventsScreen): ReadonlyArray<FailureGroup> =>
  numberedGroups(events, numbered)

/** Whether the pages of the start are being read: causes are numbered when all of them are counted. */
export const isStarting = ({ readAhead }: EventsScreen): boolean => readAhead?.purpose === "start"

/** The list with a number for each of its causes; `anew` gives the first number to the most frequent one. */
export const withNumbers = (screen: EventsScreen, anew = false): EventsScreen => {
  const before = anew ? { ...screen, numbered: [] } : screen
  const groups = groupsOf(before)
  const isSame =
    groups.length === before.numbered.length && groups.every(({ cause }, at) => cause === before.numbered[at])
  return isSame ? before : { ...before, numbered: groups.map(({ cause }) => cause) }
}

/** The name of a group in filters: its rule alone where no other group has it. */
export const filterOfCause = (screen: EventsScreen, group: FailureGroup): string =>
  groupsOf(screen).filter(({ rule }) => rule === group.rule).length === 1 ? group.rule : group.cause

/** Whether the list is filtered by this cause. */
export const isChosenCause = ({ filter, preview }: EventsScreen, cause: string): boolean =>
  (preview?.filter ?? filter).clauses.some(
    ({ key, negated, values }) => key === "cause" && !negated && values.some((value) => isCause(cause, value))
  )

/** The failures of an event; those with a cause that the list is filtered by come first. */
export const failuresIn = (screen: EventsScreen, event: ActivityNotification): ReadonlyArray<Failure> => {
  const failures = failuresOf(event)
  const chosen = failures.filter(({ cause }) => isChosenCause(screen, cause))
  return chosen.length === 0 || failures[0] === chosen[0]
    ? failures
    : [...chosen, ...failures.filter((failure) => !chosen.includes(failure))]
}

/** The job whose failure the list shows of an event; absent where none failed. */
export const jobShown = (screen: EventsScreen, event: ActivityNotification): ActivityJob | undefined =>
  failuresIn(screen, event)[0]?.diagnosis.job

/** Those that arrived since and pass the whole filter. */
export const arrived = ({ filter, fresh }: EventsScreen): ReadonlyArray<ActivityNotification> =>
  fresh.filter((event) => matches(filter, event))

/** The event under the cursor. */
export const current = (screen: EventsScreen): ActivityNotification | undefined => visible(screen)[screen.cursor.at]

/** The filters of one request. */
export const filtersOf = (screen: EventsScreen, page: number, now: number): EventFilters => {
  const query = toQuery(screen.filter, now)
  return {
    ...query,
    ...(page > 0 && query.before === undefined && screen.pin !== undefined ? { before: screen.pin } : {}),
    page,
    limit: pageSize
  }
}

/** How far a live tail reads back: services list an event a moment after the time that it has. */
const overlap = 1_000

/** Events that a live tail looks at again while their steps are not done. */
const watched = 50

/** The filters of the query for what came after the loaded events, or can have changed among the newest of them. */
export const tailFilters = (screen: EventsScreen, now: number): EventFilters => {
  const newest = [...screen.fresh, ...screen.events].slice(0, watched)
  const times = newest
    .map((event, at) =>
      at === 0 ? timeOf(event) - overlap : isFinal(eventResult(event)) ? Number.NaN : timeOf(event) - millisecond
    )
    .filter((at) => !Number.isNaN(at))
  return {
    ...toQuery(screen.filter, now),
    ...(times.length === 0 ? {} : { after: new Date(Math.min(...times)).toISOString() }),
    page: 0,
    limit: pageSize
  }
}

const millisecond = 1

/** The pin for lists that begin with these events: just after the newest, by the clock of the service. */
export const pinFor = (events: ReadonlyArray<ActivityNotification>): string | undefined => {
  const newest = Math.max(
    ...events.map(({ createdAt }) => (createdAt === undefined ? Number.NaN : Date.parse(createdAt)))
  )
  return Number.isFinite(newest) ? new Date(newest + millisecond).toISOString() : undefined
}
