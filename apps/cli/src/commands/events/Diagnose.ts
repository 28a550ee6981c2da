import { largestPage } from "@signalbox/core/Operations"
import type { ActivityNotification } from "@signalbox/core/Records"
import { type EventFilters, Events, type EventsShape } from "@signalbox/core/Events"
import * as EventWalk from "@signalbox/core/EventWalk"
import {
  type Coverage,
  coverageOf,
  covered,
  joinCoverage,
  noCoverage,
  unknownFailures
} from "@signalbox/operator/diagnosis/Coverage"
import { eventsOf, type FixReach, fixReach } from "@signalbox/operator/diagnosis/FixReach"
import {
  groupDiagnosis,
  type FailureGroup,
  failureGroups,
  failuresOf,
  withDistinctTitles
} from "@signalbox/operator/diagnosis/FailureGroup"
import { ownerNames } from "@signalbox/operator/diagnosis/Owner"
import { histogram, type TimeRange } from "@signalbox/operator/diagnosis/Histogram"
import { type Filter, matches, toQuery } from "@signalbox/operator/filter/Filter"
import { restoring } from "@signalbox/operator/reading/Restored"
import {
  addReasons,
  noReasons,
  reasonLines,
  type UnreadableReasons
} from "@signalbox/operator/reading/UnreadableReasons"
import { canonicalTime, timeAt, timeForms } from "@signalbox/operator/filter/FilterTime"
import { counted } from "@signalbox/operator/text/Counted"
import { loadWindow, outlineOf, type WindowProgress } from "@signalbox/operator/window/LoadWindow"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { chooseConnection, onConnection } from "../../connection/Connection.ts"
import { loadOwnRules } from "../../connection/OwnRules.ts"
import { checkFailed, usage } from "../../failure/CommandError.ts"
import type { Field, Listing } from "../../output/Listing.ts"
import { openOutput } from "../../output/Output.ts"
import { zoneFor } from "../../output/OutputFlags.ts"
import { startProgress } from "../../output/Progress.ts"
import type { Zone } from "@signalbox/operator/text/Zone"
import { filterOf, requireNoTime } from "./FilterArgument.ts"
import type { DiagnoseInput } from "./Events.ts"

const defaultLimit = 1000

const samplesOfGroup = 3

const trendParts = 8

/** A group with what a person or a script needs to act on it, as JSON and other programs get it. */
export type DiagnosedGroup = ReturnType<typeof diagnosed>

/** The outcome of reading events for a diagnosis. */
export interface DiagnosedEvents {
  /** Events that were read, also those that do not match the filter. */
  readonly read: number
  /** Counts of the events that match. */
  readonly coverage: Coverage
  /** Whether the service has no older events that the filter asks for. */
  readonly isComplete: boolean
  /** Why parts of events could not be read. */
  readonly unreadable: UnreadableReasons
  readonly groups: ReadonlyArray<DiagnosedGroup>
}

const isoOf = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString())

const bars = "▁▂▃▄▅▆▇█"

const sparkline = (counts: ReadonlyArray<number>): string => {
  const highest = Math.max(1, ...counts)
  return counts
    .map((count) => (count === 0 ? "·" : (bars[Math.ceil((count / highest) * bars.length) - 1] ?? "")))
    .join("")
}

const listing = (zone: Zone, now: number): Listing<DiagnosedGroup> => {
  const time = (name: string, at: (group: DiagnosedGroup) => string | null): Field<DiagnosedGroup> => ({
    title: `${name} ${zone.heading}`,
    cell: (group) => zone.moment(at(group) ?? undefined, now),
    isShort: true
  })
  return {
    fields: {
      count: { isShort: true },
      trend: { cell: ({ trend }) => sparkline(trend) },
      title: { tone: () => "bad", isShort: true },
      subscribers: {},
      firstSeen: time("first", ({ firstSeen }) => firstSeen),
      lastSeen: time("last", ({ lastSeen }) => lastSeen),
      group: {},
      fixable: { isShort: true },
      step: {},
      provider: {},
      cause: {},
      owner: { title: "who can fix", cell: ({ owner }) => ownerNames[owner], isShort: true },
      credentials: {},
      advice: {},
      samples: { cell: ({ samples: [newest = ""] }) => newest }
    },
    // From the one that an operator needs most: a narrow terminal leaves out those at the end.
    columns: [
      "count",
      "title",
      "owner",
      "firstSeen",
      "lastSeen",
      "subscribers",
      "advice",
      "samples",
      "trend",
      "group",
      "cause"
    ]
  }
}

const diagnosed = (group: FailureGroup, range: TimeRange, fix: FixReach) => {
  const diagnosis = groupDiagnosis(group)
  return {
    group: group.cause,
    title: group.title,
    count: group.events.length,
    subscribers: group.subscribers.length,
    /** Events with this failure in equal parts of the time that was read, the oldest part first. */
    trend: histogram(group.events, range, trendParts),
    step: group.step,
    ...(group.providerId === undefined ? {} : { provider: group.providerId }),
    cause: diagnosis?.cause ?? "",
    advice: diagnosis?.advice ?? "",
    owner: group.owner,
    credentials: group.credentials,
    /** The subscribers that credentials may still help. */
    ...(group.credentials === "cause" ? { fixable: fix.open.length } : {}),
    firstSeen: isoOf(group.firstSeen),
    lastSeen: isoOf(group.lastSeen),
    /** Transaction ids of the newest events. */
    samples: group.events.slice(0, samplesOfGroup).map(({ transactionId }) => transactionId)
  }
}

/** The events that a diagnosis reads: the newest ones, or all of a window of time. */
export type Extent =
  | { readonly limit: number }
  | { readonly window: TimeRange; readonly onProgress?: (progress: WindowProgress) => Effect.Effect<void> }

/** Reads outlines of the newest events. */
const readNewest = Effect.fnUntraced(function* (
  events: Pick<EventsShape, "list">,
  query: EventFilters,
  limit: number,
  note: (page: ReadonlyArray<ActivityNotification>) => void
) {
  const walk = yield* EventWalk.make(events, { limit: largestPage, ...query })
  const read: Array<ActivityNotification> = []
  for (;;) {
    const page = yield* walk.next
    if (page === undefined) return { events: read, isComplete: true }
    const wanted = page.data.slice(0, limit - read.length)
    note(wanted)
    read.push(...wanted.map(outlineOf))
    if (read.length >= limit) return { events: read, isComplete: !page.hasMore && wanted.length === page.data.length }
  }
}, Effect.scoped)

const byTime = (a: ActivityNotification, b: ActivityNotification): number =>
  Date.parse(b.createdAt ?? "") - Date.parse(a.createdAt ?? "") || 0

/** Reads events and groups the failures of those that match. */
export const diagnoseEvents = Effect.fnUntraced(function* (filter: Filter, extent: Extent) {
  let unreadable = noReasons
  let coverage = noCoverage
  const failed: Array<ActivityNotification> = []
  const seen = new Set<string>()
  const events = restoring(yield* Events, (parts) => {
    unreadable = addReasons(unreadable, parts)
  })
  // Whole events are needed to match a filter: before they are cut down to outlines.
  const note = (page: ReadonlyArray<ActivityNotification>) => {
    const fresh = page.filter(({ _id }) => _id === undefined || !seen.has(_id))
    for (const { _id } of fresh) if (_id !== undefined) seen.add(_id)
    const found = fresh.filter((event) => matches(filter, event))
    coverage = joinCoverage(coverage, coverageOf(found))
    failed.push(...found.map(outlineOf).filter((event) => failuresOf(event).length > 0))
  }
  const query = toQuery(filter, yield* Clock.currentTimeMillis)
  const read =
    "limit" in extent
      ? yield* readNewest(events, query, extent.limit, note)
      : yield* Effect.map(
          loadWindow(events, query, extent.window, {
            whole: 0,
            form: outlineOf,
            onPage: (progress, page) => {
              note(page)
              return extent.onProgress?.(progress) ?? Effect.void
            }
          }),
          (window) => ({ events: window, isComplete: true })
        )
  const { range } = coverage
  const ofSubscriber = eventsOf(read.events)
  const outcome: DiagnosedEvents = {
    read: read.events.length,
    isComplete: read.isComplete,
    coverage,
    unreadable,
    groups:
      range === undefined
        ? []
        : withDistinctTitles(failureGroups(failed.sort(byTime))).map((group) =>
            diagnosed(group, range, fixReach(group, ofSubscriber))
          )
  }
  return outcome
})

const hasStart = ({ clauses }: Filter): boolean => clauses.some(({ key }) => key === "after")

/** The newest events; all of them where the filter says since when. */
export const newestOf = (filter: Filter, limit: number | undefined): { readonly limit: number } => ({
  limit: limit ?? (hasStart(filter) ? Number.POSITIVE_INFINITY : defaultLimit)
})

/** All events since a time, unless the filter has a time already. */
export const windowSince = Effect.fnUntraced(function* (since: string, filter: Filter) {
  const time = canonicalTime(since)
  const now = yield* Clock.currentTimeMillis
  if (time === undefined || timeAt(time, now) >= now) {
    return yield* usage(`--since is "${since}"; expected a time before now: ${timeForms}`)
  }
  yield* requireNoTime(filter)
  return { window: { from: timeAt(time, now), to: now } }
})

/** Groups the failures of events by cause. */
export const diagnose = Effect.fnUntraced(function* (input: DiagnoseInput) {
  const extents = [
    ...(input.all ? ["--all"] : []),
    ...(Option.isSome(input.limit) ? ["--limit"] : []),
    ...(Option.isSome(input.since) ? ["--since"] : [])
  ]
  if (extents.length > 1) {
    return yield* usage(`${extents.join(" and ")} cannot be used together`)
  }
  const filter = yield* filterOf(input)
  const now = yield* Clock.currentTimeMillis
  const window = yield* Effect.transposeOption(Option.map(input.since, (since) => windowSince(since, filter)))
  const output = yield* openOutput(listing(zoneFor(input, now), now), input)
  yield* loadOwnRules
  const connection = yield* chooseConnection(input)
  const progress = yield* startProgress("event", input.quiet)
  const extent: Extent = Option.match(window, {
    onNone: () => newestOf(filter, input.all ? Number.POSITIVE_INFINITY : Option.getOrUndefined(input.limit)),
    onSome: (all) => ({
      ...all,
      onProgress: ({ events, expected = Number.POSITIVE_INFINITY }) => progress.show(events, expected)
    })
  })
  const { coverage, groups, isComplete, read, unreadable } = yield* diagnoseEvents(filter, extent).pipe(
    onConnection(connection),
    Effect.ensuring(progress.clear)
  )
  const unknown = unknownFailures(coverage)
  // A count of failures without this would be an all-clear over events that nobody could read.
  if (unknown !== undefined)
    yield* output.warning([unknown, ...reasonLines(unreadable).map((line) => `  ${line}`)].join("\n"))
  yield* output.rows(groups)
  const time = covered(coverage)
  yield* output.note(
    [
      `${counted(coverage.failed, "failed event")} in ${counted(groups.length, "group")} among ${counted(read, "event")}`,
      ...(coverage.unreadable === 0 ? [] : [`${coverage.unreadable} unreadable`]),
      ...(time === undefined ? [] : [`covering ${time}`])
    ].join(", ")
  )
  // A time is a promise about all of it; a number is one about the newest events.
  const isMissed = input.failOnFailures && !isComplete && hasStart(filter)
  if (!isComplete) {
    const print = isMissed || Option.isNone(input.limit) ? output.warning : output.note
    yield* print("Older events were not read (--all reads them)")
  }
  if (isMissed || (input.failOnFailures && coverage.failed + coverage.unreadable > 0))
    return yield* checkFailed("events diagnose --fail-on-failures")
})
