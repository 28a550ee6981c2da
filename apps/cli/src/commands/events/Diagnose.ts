import { largestPage } from "@signalbox/core/Parameters"
import type { ActivityJob, ActivityNotification } from "@signalbox/core/Activity"
import { Events } from "@signalbox/core/Events"
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
import { type FailureGroup, failureGroups, failuresOf } from "@signalbox/operator/diagnosis/FailureGroup"
import { ownerNames } from "@signalbox/operator/diagnosis/Owner"
import { histogram, type TimeRange } from "@signalbox/operator/diagnosis/Histogram"
import { clear, type Filter, matches, toQuery } from "@signalbox/operator/filter/Filter"
import { restoring } from "@signalbox/operator/reading/Restored"
import {
  addReasons,
  noReasons,
  reasonLines,
  type UnreadableReasons
} from "@signalbox/operator/reading/UnreadableReasons"
import { jobResult } from "@signalbox/operator/status/Status"
import { counted } from "@signalbox/operator/text/Counted"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { chooseConnection, onConnection } from "../../connection/Connection.ts"
import type { ConnectionOptions } from "../../connection/ConnectionFlags.ts"
import { loadOwnRules } from "../../connection/OwnRules.ts"
import { Unsuccessful, UsageError } from "../../failure/CommandError.ts"
import { exitCodes } from "../../failure/ExitCode.ts"
import type { Listing } from "../../output/Listing.ts"
import { openOutput } from "../../output/Output.ts"
import type { OutputOptions } from "../../output/OutputFlags.ts"
import { type Zone, zoneAt } from "../../output/Zone.ts"
import { readFilter } from "./FilterArgument.ts"

/** The input of `events diagnose`. */
export interface DiagnoseInput extends OutputOptions, ConnectionOptions {
  readonly filter: ReadonlyArray<string>
  readonly limit: Option.Option<number>
  readonly all: boolean
  readonly failOnFailures: boolean
}

const defaultLimit = 1000

const samplesOfGroup = 3

const trendParts = 8

/** A group with what a person or a script needs to act on it. */
export interface DiagnosedGroup {
  readonly group: FailureGroup
  /** Events with this failure in equal parts of the time that was read, the oldest part first. */
  readonly trend: ReadonlyArray<number>
  readonly cause: string
  readonly advice: string
  /** The subscribers that credentials may still help. */
  readonly fix: FixReach
  /** Transaction ids of the newest events. */
  readonly samples: ReadonlyArray<string>
}

/** The outcome of reading events for a diagnosis. */
export interface DiagnosedEvents {
  /** Events that were read, also those that do not match the filter. */
  readonly read: number
  /** Counts of the events that match. */
  readonly coverage: Coverage
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

/** The group as plain data, as JSON and other programs get it. */
export const groupRecord = ({ advice, cause, fix, group, samples, trend }: DiagnosedGroup) => ({
  group: group.cause,
  title: group.title,
  count: group.events.length,
  subscribers: group.subscribers.length,
  trend,
  step: group.step,
  ...(group.providerId === undefined ? {} : { provider: group.providerId }),
  cause,
  advice,
  owner: group.owner,
  credentials: group.credentials,
  ...(group.credentials === "cause" ? { fixable: fix.open.length } : {}),
  firstSeen: isoOf(group.firstSeen),
  lastSeen: isoOf(group.lastSeen),
  samples
})

const listing = (zone: Zone): Listing<DiagnosedGroup> => ({
  fields: {
    count: { value: ({ group }) => group.events.length, isShort: true },
    trend: { value: ({ trend }) => trend.join(" "), cell: ({ trend }) => sparkline(trend), isShort: true },
    title: { value: ({ group }) => group.title, tone: () => "bad", isShort: true },
    subscribers: { value: ({ group }) => group.subscribers.length, isShort: true },
    last: {
      title: zone.titled("last"),
      value: ({ group }) => isoOf(group.lastSeen),
      cell: ({ group }) => zone.moment(isoOf(group.lastSeen) ?? undefined),
      isShort: true
    },
    group: { value: ({ group }) => group.cause },
    fixable: { value: ({ fix, group }) => (group.credentials === "cause" ? fix.open.length : null), isShort: true },
    step: { value: ({ group }) => group.step },
    provider: { value: ({ group }) => group.providerId ?? null },
    cause: { value: ({ cause }) => cause },
    owner: { value: ({ group }) => group.owner, cell: ({ group }) => ownerNames[group.owner] },
    advice: { value: ({ advice }) => advice },
    first: { value: ({ group }) => isoOf(group.firstSeen) },
    samples: { value: ({ samples }) => samples, cell: ({ samples: [newest = ""] }) => newest, isShort: true }
  },
  columns: ["count", "trend", "title", "last", "samples", "owner", "advice"],
  record: groupRecord
})

const diagnosed = (group: FailureGroup, range: TimeRange, fix: FixReach): DiagnosedGroup => {
  const [newest] = group.events
  const failure = newest === undefined ? undefined : failuresOf(newest).find(({ cause }) => cause === group.cause)
  return {
    group,
    trend: histogram(group.events, range, trendParts),
    cause: failure?.diagnosis.cause ?? "",
    advice: failure?.diagnosis.advice ?? "",
    fix,
    samples: group.events.slice(0, samplesOfGroup).map(({ transactionId }) => transactionId)
  }
}

/** A step of which only its success counts. */
const succeeded = ({ _id, providerId, type }: ActivityJob): ActivityJob => ({
  _id,
  type,
  status: "completed",
  executionDetails: [],
  step: { _id: "", _templateId: "", active: true, filters: [] },
  ...(providerId === undefined ? {} : { providerId })
})

/** An event without the parts that only a failure needs, so that a long listing does not fill the memory. */
const summarised = (event: ActivityNotification): ActivityNotification => {
  if (failuresOf(event).length > 0) return event
  const { _environmentId, _organizationId, _subscriberId, jobs = [], transactionId } = event
  return {
    _environmentId,
    _organizationId,
    _subscriberId,
    transactionId,
    jobs: jobs.filter((job) => jobResult(job).kind === "ok").map(succeeded)
  }
}

/** Reads the newest events that match and groups their failures. */
export const diagnoseEvents = Effect.fnUntraced(function* (filter: Filter, limit: number) {
  const now = yield* Clock.currentTimeMillis
  let unreadable = noReasons
  const events = restoring(yield* Events, (parts) => {
    unreadable = addReasons(unreadable, parts)
  })
  const walk = yield* EventWalk.make(events, { limit: largestPage, ...toQuery(filter, now) })
  const all: Array<ActivityNotification> = []
  const matching: Array<ActivityNotification> = []
  let coverage = noCoverage
  let read = 0
  while (read < limit) {
    const page = yield* walk.next
    if (page === undefined) break
    const wanted = page.data.slice(0, limit - read)
    const found = wanted.filter((event) => matches(filter, event))
    read += wanted.length
    coverage = joinCoverage(coverage, coverageOf(found))
    all.push(...wanted.map(summarised))
    matching.push(...found.filter((event) => failuresOf(event).length > 0))
  }
  const { range } = coverage
  const ofSubscriber = eventsOf(all)
  const outcome: DiagnosedEvents = {
    read,
    coverage,
    unreadable,
    groups:
      range === undefined
        ? []
        : failureGroups(matching).map((group) => diagnosed(group, range, fixReach(group, ofSubscriber)))
  }
  return outcome
}, Effect.scoped)

/** Groups the failures of events by cause. */
export const diagnose = Effect.fnUntraced(function* (input: DiagnoseInput) {
  if (input.all && Option.isSome(input.limit)) {
    return yield* new UsageError({ message: "--all and --limit cannot be used together" })
  }
  const filter = input.filter.length === 0 ? clear : yield* readFilter(input.filter)
  const output = yield* openOutput(listing(zoneAt(yield* Clock.currentTimeMillis, input.utc)), input)
  yield* loadOwnRules
  const connection = yield* chooseConnection(input)
  const limit = input.all ? Number.POSITIVE_INFINITY : Option.getOrElse(input.limit, () => defaultLimit)
  const { coverage, groups, read, unreadable } = yield* diagnoseEvents(filter, limit).pipe(onConnection(connection))
  const unknown = unknownFailures(coverage)
  // A count of failures without this would be an all-clear over events that nobody could read.
  if (unknown !== undefined)
    yield* output.note([unknown, ...reasonLines(unreadable).map((line) => `  ${line}`)].join("\n"))
  yield* output.rows(groups)
  const time = covered(coverage)
  yield* output.note(
    [
      `${counted(coverage.failed, "failed event")} in ${counted(groups.length, "group")} among ${counted(read, "event")}`,
      ...(coverage.unreadable === 0 ? [] : [`${coverage.unreadable} unreadable`]),
      ...(time === undefined ? [] : [`covering ${time}`])
    ].join(", ")
  )
  if (input.failOnFailures && coverage.failed + coverage.unreadable > 0)
    return yield* new Unsuccessful({ exitCode: exitCodes.checkFailed })
})
