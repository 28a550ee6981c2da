import type { ActivityNotification, EventPage } from "@signalbox/core/Records"
import type { Unreadable } from "@signalbox/core/Drift"
import { keyFor } from "../../actions/Action.ts"
import { type Filter, localOnly, prepare, sameRequest, toQuery } from "@signalbox/operator/filter/Filter"
import { isSilent, noKnownCauses } from "@signalbox/operator/connections/KnownCauses"
import { timeAt } from "@signalbox/operator/filter/FilterTime"
import { fromEvents } from "../../state/Facts.ts"
import type { Problem } from "@signalbox/operator/report/ProblemReport"
import { findScreen, pushScreen, putScreen, topScreen } from "../../state/ScreenStack.ts"
import { type State, stay, type Transition, withCommands, withNotice } from "../../state/State.ts"
import { start } from "../Cursor.ts"
import {
  current,
  type EventsScreen,
  filtersOf,
  isStarting,
  type LoadMode,
  make,
  pageSize,
  pinFor,
  recentArrivals,
  tailFilters,
  type ReadAhead,
  visible,
  withNumbers
} from "./EventsScreen.ts"
import { counted } from "@signalbox/operator/text/Counted"
import { eventKey } from "@signalbox/operator/reading/EventKey"
import { loadedAs, type Events } from "./EventIndex.ts"
import { isByTime, type Sort, sorted } from "./EventColumns.ts"
import { rowsBefore } from "./FilteredEvents.ts"
import { type Alert, noWatch, watched } from "@signalbox/operator/window/Watch"
import { joinEvents } from "./LoadedEvents.ts"
import { make as makeText } from "../text/TextScreen.ts"
import { sampledOf, type SampleReport } from "./SampleReport.ts"
import { sampleText } from "./SampleText.ts"
import { countOf, none, tail, window as windowPage, withPage } from "./UnreadableParts.ts"
import { stampOf } from "../../view/Times.ts"

/** How many matches end a search further back, and how many pages it may read for them. */
const searchMatches = 10
const searchPages = 10

/** How much is read at the start without a key: enough to see the shape of an incident. */
const startEvents = 200
const startMilliseconds = 24 * 3_600_000

const readAheadAtStart = (now: number): ReadAhead => ({
  purpose: "start",
  pagesLeft: Math.ceil(startEvents / pageSize) - 1,
  until: startEvents,
  since: now - startMilliseconds
})

/** Loads a list for the first time: its newest page, and a few more after it. */
export const open = (state: State, screen: EventsScreen): Transition =>
  load(state, { ...screen, readAhead: screen.readAhead ?? readAheadAtStart(state.now) }, "first")

/** Reads as many events as a list has. */
export const readAheadOf = (events: number): ReadAhead => ({
  purpose: "start",
  pagesLeft: Math.ceil(events / pageSize),
  until: events
})

/** Reads the whole list again, as far as it was loaded. */
export const readAgain = (state: State, screen: EventsScreen): Transition =>
  load(state, { ...screen, loading: undefined, readAhead: readAheadOf(screen.events.length) }, "first")

/** Starts loading; a list that is already loading is left alone. */
export const load = (state: State, screen: EventsScreen, mode: LoadMode): Transition => {
  // Events that are not masked yet are not among the loaded ones, where the next page would be added.
  if (screen.loading !== undefined || (screen.masking !== undefined && mode !== "first")) return stay(state)
  const page = mode === "more" ? screen.pages : 0
  return withCommands(putScreen(state, { ...screen, loading: mode }), {
    _tag: "LoadEvents",
    screenId: screen.id,
    mode,
    filters: mode === "tail" ? tailFilters(screen, state.now) : filtersOf(screen, page, state.now),
    page
  })
}

/** Reads what came since the last read, for a list that is followed. */
export const readTail = (state: State, screen: EventsScreen): Transition =>
  load(state, screen, screen.events.length === 0 ? "first" : "tail")

/** Reads the newest events; a list that has none yet begins with them. */
export const refresh = (state: State, screen: EventsScreen): Transition =>
  load(state, screen, screen.events.length === 0 ? "first" : "refresh")

/** Reads again what could not be read, else the newest events. */
export const tryAgain = (state: State, screen: EventsScreen): Transition => {
  const next = { ...screen, problem: undefined, lost: undefined }
  return screen.lost === "more" ? load(state, next, "more") : refresh(state, next)
}

/** The list after its filter has changed, with the cursor on the same event or the next older one that is left. */
const narrowed = (before: EventsScreen, after: EventsScreen): EventsScreen => {
  const event = before.preview?.from ?? current(before)
  if (event === undefined) return { ...after, cursor: start, anchor: undefined }
  const left = visible(after)
  const all = sorted(before.events, before.sort)
  const at = rowsBefore(all, left, all.indexOf(event))
  const offset = before.cursor.at - before.cursor.top
  const to = Math.max(0, Math.min(at, left.length - 1))
  return { ...after, cursor: { at: to, top: Math.max(0, to - offset) }, anchor: undefined }
}

/** Previews a filter under edit, before a request is sent; `undefined` ends the preview. */
export const previewFilter = (state: State, screen: EventsScreen, filter: Filter | undefined): State => {
  if (filter === undefined && screen.preview === undefined) return state
  const preview =
    filter === undefined
      ? undefined
      : { filter, now: screen.preview?.now ?? state.now, from: screen.preview?.from ?? current(screen) }
  return putScreen(state, narrowed(screen, { ...screen, preview }))
}

/**
 * Filters the list. Rows are only hidden or shown where the service would be asked the same; otherwise a new list is
 * loaded, and the selection stays for events that are still there.
 */
export const applyFilter = (state: State, screen: EventsScreen, filter: Filter): Transition => {
  if (sameRequest(screen.filter, filter) && screen.pages > 0) {
    return stay(putScreen(state, narrowed(screen, { ...screen, filter, preview: undefined })))
  }
  const empty: EventsScreen = { ...make(screen.id, filter, screen.sort), selection: screen.selection }
  return open(putScreen(state, empty), empty)
}

/** Those of the events read that a list does not have. */
const notLoaded = (read: Events, loaded: Events): Events =>
  read.filter((event) => loadedAs(loaded, event) === undefined)

const merge = (loaded: Events, added: Events): Events => joinEvents(loaded, notLoaded(added, loaded))

/** The loaded events with those that were read again replaced in place: a job may have finished meanwhile. */
const renew = (loaded: Events, read: Events): Events => {
  const changed = new Map<ActivityNotification, ActivityNotification>()
  for (const event of read) {
    const before = loadedAs(loaded, event)
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(event)) changed.set(before, event)
  }
  // The same list if nothing changed, so that results computed for it stay valid.
  return changed.size === 0 ? loaded : loaded.map((event) => changed.get(event) ?? event)
}

/**
 * The list with what a live tail has read: new events are put on top if the cursor is there; else, and below another
 * screen, they wait, so that no row moves under it. Events that were read before are dropped.
 */
const afterTail = (screen: EventsScreen, page: EventPage, now: number, isOnTop: boolean): EventsScreen => {
  const known = new Set(screen.fresh.map(eventKey))
  const arrived: Array<ActivityNotification> = []
  for (const event of notLoaded(page.data, screen.events)) {
    const key = eventKey(event)
    if (known.has(key)) continue
    known.add(key)
    arrived.push(event)
  }
  const arrivals = [...recentArrivals(screen, now), { at: now, since: screen.asOf ?? now, count: arrived.length }]
  // The rows of a screen above are computed from the list.
  const events = isOnTop ? renew(screen.events, page.data) : screen.events
  const fresh = [...arrived, ...screen.fresh]
  const overrun = screen.overrun || page.hasMore
  const isPaused =
    !isOnTop || overrun || screen.cursor.at > 0 || screen.anchor !== undefined || screen.preview !== undefined
  return isPaused
    ? { ...screen, events, fresh, overrun, arrivals }
    : { ...screen, events: joinEvents(fresh, events), fresh: [], arrivals }
}

/** Reads all events of a window of time, which ends now. */
export const loadWindow = (state: State, screen: EventsScreen, name: string): Transition =>
  withCommands(putScreen(state, { ...screen, loading: "window", readAhead: undefined, problem: undefined }), {
    _tag: "LoadWindow",
    ...windowOf(state, screen, name)
  })

/** Shows a sample as text, and keeps its rates for the bars of the list. */
export const sampled = (state: State, screenId: number, report: SampleReport): Transition => {
  const screen = findScreen(state, screenId, "Events")
  const next = screen === undefined ? state : putScreen(state, { ...screen, sampled: sampledOf(report) })
  const text = sampleText(report, state)
  return stay(pushScreen(next, (id) => makeText(id, `sample of ${report.name}`, text)))
}

/** Reads a sample of the events of a window of time, which ends now. */
export const sampleWindow = (state: State, screen: EventsScreen, name: string): Transition =>
  withCommands(state, { _tag: "SampleWindow", ...windowOf(state, screen, name) })

const windowOf = ({ now }: State, { filter, id }: EventsScreen, name: string) => ({
  screenId: id,
  filters: toQuery(filter, now),
  range: { from: timeAt(name, now), to: now },
  name
})

/** The list with all events of a window, which go between those that are newer and those that are older. */
const afterWindow = (screen: EventsScreen, { data }: EventPage): EventsScreen => {
  const outside = notLoaded(screen.events, data)
  const oldest = Date.parse(data.at(-1)?.createdAt ?? "")
  const isOlderThanAll = (event: ActivityNotification) => Date.parse(event.createdAt ?? "") < oldest
  const events = joinEvents(
    joinEvents(
      outside.filter((event) => !isOlderThanAll(event)),
      data
    ),
    outside.filter(isOlderThanAll)
  )
  const next: EventsScreen = {
    ...screen,
    events,
    pin: pinFor(data) ?? screen.pin,
    pages: Math.ceil(events.length / pageSize),
    hasMore: true,
    anchor: undefined
  }
  return onSameEvent(screen, next)
}

/** The list after its rows have changed, with cursor and range on the same events; a cursor at the top stays there. */
const onSameEvent = (before: EventsScreen, after: EventsScreen): EventsScreen => {
  const rowOf = (row: number): number => {
    const event = visible(before)[row]
    return event === undefined
      ? 0
      : Math.max(
          0,
          visible(after).findIndex((one) => eventKey(one) === eventKey(event))
        )
  }
  const { at: row, top } = before.cursor
  const at = row === 0 ? 0 : rowOf(row)
  const anchor = after.anchor === undefined ? undefined : rowOf(after.anchor)
  return { ...after, cursor: { at, top: Math.max(0, at - (row - top)) }, anchor }
}

/** Sorts the list; the cursor stays on its event. */
export const sortBy = (state: State, screen: EventsScreen, sort: Sort): State =>
  putScreen(state, onSameEvent(screen, { ...screen, sort, anchor: undefined }))

const afterRefresh = (screen: EventsScreen, page: EventPage): EventsScreen => {
  const fresh = notLoaded(page.data, screen.events)
  return {
    ...screen,
    events: renew(screen.events, page.data),
    fresh,
    overrun: page.hasMore && fresh.length === page.data.length && screen.events.length > 0
  }
}

const afterPage = (
  screen: EventsScreen,
  mode: LoadMode,
  page: EventPage,
  now: number,
  isOnTop: boolean
): EventsScreen => {
  if (screen.masking !== undefined && mode !== "first") {
    // An older page goes behind those that are not masked yet; newer events are read again.
    const rest = mode === "more" ? [...screen.masking.rest, ...page.data] : screen.masking.rest
    const pages = mode === "more" ? { pages: screen.pages + 1, hasMore: page.hasMore } : {}
    return { ...screen, ...pages, masking: { ...screen.masking, rest } }
  }
  if (mode === "window") return afterWindow(screen, page)
  if (mode === "tail") return afterTail(screen, page, now, isOnTop)
  if (mode === "refresh" && screen.events.length > 0) return afterRefresh(screen, page)
  if (mode === "more") {
    return { ...screen, events: merge(screen.events, page.data), pages: screen.pages + 1, hasMore: page.hasMore }
  }
  return {
    ...screen,
    events: page.data,
    fresh: [],
    overrun: false,
    pin: pinFor(page.data),
    pages: 1,
    hasMore: page.hasMore,
    cursor: start,
    anchor: undefined,
    masking: undefined
  }
}

/** The notice after a search further back has finished. */
const searchOutcome = (state: State, screen: EventsScreen, found: number, until: number): string => {
  const summary = localOnly(screen.filter) ? `${found} match among ${screen.events.length} loaded` : `${found} loaded`
  const key = keyFor(state, "search further back")
  if (!screen.hasMore) return `${summary}; these are all events that the service keeps`
  return found >= until
    ? `${summary}; press ${key} to search further back`
    : `${summary}; stopped after ${searchPages} pages, press ${key} to continue`
}

const isOlder = ({ createdAt }: ActivityNotification, since: number | undefined): boolean =>
  since !== undefined && Date.parse(createdAt ?? "") < since

/** Reads the next page of those that are read without a key, or ends that. */
const continueReading = (state: State, screen: EventsScreen): Transition => {
  const { readAhead } = screen
  if (readAhead === undefined) return stay(putScreen(state, screen))
  const { pagesLeft, purpose, since, until } = readAhead
  const found = purpose === "start" ? screen.events.length : visible(screen).length
  const oldest = screen.events.at(-1)
  if (found >= until || !screen.hasMore || pagesLeft === 0 || (oldest !== undefined && isOlder(oldest, since))) {
    const done = putScreen(state, { ...screen, readAhead: undefined })
    return stay(purpose === "start" ? done : withNotice(done, searchOutcome(state, screen, found, until)))
  }
  const next = { ...screen, readAhead: { ...readAhead, pagesLeft: pagesLeft - 1 } }
  return load(putScreen(state, next), next, "more")
}

/** The page of the list that a read returned. */
const pageOf = ({ pages }: EventsScreen, mode: LoadMode): number => {
  if (mode === "more") return pages
  return mode === "tail" ? tail : mode === "window" ? windowPage : 0
}

/** The news about causes in words: `NEW: slack webhook missing`. */
const newsText = ({ before, count, kind, title }: Alert): string => {
  const news = `${kind.toUpperCase()}: ${title.replace(/\.$/u, "")}`
  return kind === "doubled" ? `${news}, ${before} to ${count} in 5 min` : news
}

/** Watches the list for news about causes, or ends that; what is loaded is no news. */
export const toggleWatch = (state: State, screen: EventsScreen): Transition => {
  if (screen.watch !== undefined)
    return stay(withNotice(putScreen(state, { ...screen, watch: undefined }), "watch is off"))
  const watch = watched(noWatch, screen.events, state.now, { isPast: true }).state
  const text = `watching ${counted(watch.causes.size, "cause")}; ${keyFor(state, "watch")} stops it`
  const next = putScreen({ ...state, interval: state.interval === 0 ? 5 : state.interval }, { ...screen, watch })
  return stay(withNotice(next, text, "ok"))
}

/** Reports the news of a read of a list that is watched. */
const withNews = (before: EventsScreen, { commands, state }: Transition, read: Events) => {
  const screen = findScreen(state, before.id, "Events")
  if (screen?.watch === undefined) return { commands, state }
  const { alerts, state: watch } = watched(screen.watch, read, state.now)
  const next = putScreen(state, { ...screen, watch })
  const news = alerts.map(newsText)
  const { known = noKnownCauses } = state.connection
  const rings = alerts.filter(({ cause, kind }) => kind !== "ended" && !isSilent(known, cause, state.now)).map(newsText)
  return {
    state: news.length === 0 ? next : withNotice(next, news.join("; "), rings.length === 0 ? "ok" : "failed"),
    commands: rings.length === 0 ? commands : [...commands, { _tag: "Ring", text: rings.join("; ") } as const]
  }
}

/** Puts a response into its list. */
export const loaded = (
  state: State,
  screenId: number,
  mode: LoadMode,
  page: EventPage,
  unreadable: ReadonlyArray<Unreadable>
): Transition => {
  const screen = findScreen(state, screenId, "Events")
  if (screen === undefined) return stay(state)
  const read = afterPage(screen, mode, page, state.now, topScreen(state) === screen)
  // A window that has every event of the list counts their parts again.
  const isAnew = mode === "first" || (mode === "window" && read.events.length === page.data.length)
  const next: EventsScreen = {
    ...withNumbers(
      isByTime(screen.sort) || mode === "first" ? read : onSameEvent(screen, read),
      mode === "first" || mode === "refresh" || isStarting(screen)
    ),
    unreadable: withPage(isAnew ? none : screen.unreadable, pageOf(screen, mode), unreadable),
    loading: undefined,
    problem: undefined,
    lost: undefined,
    // An older page says nothing of how fresh the newest events are.
    asOf: mode === "more" ? screen.asOf : state.now
  }
  prepare(page.data)
  const facts = fromEvents(state.facts, page.data, state.now)
  // Notify once, not at every refresh; the list keeps showing the count.
  const noticed =
    countOf(next.unreadable) <= countOf(screen.unreadable)
      ? state
      : withNotice(
          state,
          `${counted(unreadable.length, "part")} of the response could not be read; ${keyFor(state, "unreadable parts")} shows which and why`,
          "warning"
        )
  const announced =
    next.overrun && !screen.overrun && mode === "tail"
      ? withNotice(
          noticed,
          `a gap: more events arrived since ${stampOf(state, screen.asOf ?? state.now)} than were read; ${keyFor(state, "show new events")} reloads the list`,
          "warning"
        )
      : noticed
  const transition = continueReading(putScreen({ ...announced, facts }, next), next)
  return mode === "tail" ? withNews(screen, transition, page.data) : transition
}

/** Keeps the data and says what went wrong. */
export const failed = (state: State, screenId: number, lost: LoadMode, problem: Problem): Transition => {
  const screen = findScreen(state, screenId, "Events")
  return screen === undefined
    ? stay(state)
    : stay(putScreen(state, { ...screen, loading: undefined, readAhead: undefined, problem, lost }))
}

/** Shows the new events; the cursor stays on its event, or at the top when it was there. */
export const showFresh = (state: State, screen: EventsScreen): Transition => {
  if (screen.overrun) {
    const anew = { ...screen, fresh: [], overrun: false }
    return open(putScreen(state, anew), anew)
  }
  const events = joinEvents(screen.fresh, screen.events)
  return stay(putScreen(state, onSameEvent(screen, withNumbers({ ...screen, events, fresh: [] }))))
}

/** Reads older pages until enough events match what the API cannot filter by. */
export const searchFurther = (state: State, screen: EventsScreen): Transition =>
  continueReading(state, {
    ...screen,
    readAhead: { purpose: "search", pagesLeft: searchPages, until: visible(screen).length + searchMatches }
  })

/**
 * Loads the next page when the cursor comes near the end of what is loaded; not where rows are hidden or sorted here, since few
 * events may pass such a filter and the whole history would be read for them.
 */
export const loadNearEnd = (state: State, screen: EventsScreen, height: number): Transition =>
  screen.hasMore &&
  isByTime(screen.sort) &&
  screen.preview === undefined &&
  !localOnly(screen.filter) &&
  screen.loading === undefined &&
  screen.problem === undefined &&
  visible(screen).length > 0 &&
  screen.cursor.at >= visible(screen).length - Math.max(5, Math.floor(height / 2))
    ? load(state, screen, "more")
    : stay(state)

/** Whether a response brought rows, as far as the API chose them. */
export const hasGrown = (before: EventsScreen | undefined, after: EventsScreen): boolean =>
  !localOnly(after.filter) && visible(after).length > (before === undefined ? 0 : visible(before).length)

/** The selected events, else the one under the cursor. */
export const selected = (screen: EventsScreen): Events => {
  const rows = visible(screen)
  const chosen = rows.filter((event) => screen.selection.has(eventKey(event)))
  return chosen.length > 0 ? chosen : rows.slice(screen.cursor.at, screen.cursor.at + 1)
}
