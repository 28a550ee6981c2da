import { largestPage } from "@signalbox/core/Parameters"
import type { ActivityNotification } from "@signalbox/core/Activity"
import { Events } from "@signalbox/core/Events"
import * as EventWalk from "@signalbox/core/EventWalk"
import { type FailureGroup, failureGroups, failuresOf } from "@signalbox/operator/diagnosis/FailureGroup"
import { ownerNames } from "@signalbox/operator/diagnosis/Owner"
import { histogram, type TimeRange, timeRange } from "@signalbox/operator/diagnosis/Histogram"
import { clear, type Filter, matches, toQuery } from "@signalbox/operator/filter/Filter"
import { counted } from "@signalbox/operator/text/Counted"
import { moment } from "@signalbox/operator/text/Moment"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { chooseConnection, onConnection } from "../../connection/Connection.ts"
import type { ConnectionOptions } from "../../connection/ConnectionFlags.ts"
import { Unsuccessful, UsageError } from "../../failure/CommandError.ts"
import { exitCodes } from "../../failure/ExitCode.ts"
import type { Listing } from "../../output/Listing.ts"
import { openOutput } from "../../output/Output.ts"
import type { OutputOptions } from "../../output/OutputFlags.ts"
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
  /** Transaction ids of the newest events. */
  readonly samples: ReadonlyArray<string>
}

/** The outcome of reading events for a diagnosis. */
export interface DiagnosedEvents {
  readonly read: number
  readonly failed: number
  readonly range: TimeRange | undefined
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
export const groupRecord = ({ advice, cause, group, samples, trend }: DiagnosedGroup) => ({
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
  firstSeen: isoOf(group.firstSeen),
  lastSeen: isoOf(group.lastSeen),
  samples
})

const listing = (now: number): Listing<DiagnosedGroup> => ({
  fields: {
    count: { value: ({ group }) => group.events.length, isShort: true },
    trend: { value: ({ trend }) => trend.join(" "), cell: ({ trend }) => sparkline(trend), isShort: true },
    title: { value: ({ group }) => group.title, tone: () => "bad" },
    subscribers: { value: ({ group }) => group.subscribers.length, isShort: true },
    last: {
      value: ({ group }) => isoOf(group.lastSeen),
      cell: ({ group }) => moment(isoOf(group.lastSeen) ?? undefined, now),
      isShort: true
    },
    group: { value: ({ group }) => group.cause },
    step: { value: ({ group }) => group.step },
    provider: { value: ({ group }) => group.providerId ?? null },
    cause: { value: ({ cause }) => cause },
    owner: { value: ({ group }) => group.owner, cell: ({ group }) => ownerNames[group.owner], isShort: true },
    advice: { value: ({ advice }) => advice },
    first: { value: ({ group }) => isoOf(group.firstSeen) },
    samples: { value: ({ samples }) => samples }
  },
  columns: ["count", "trend", "title", "subscribers", "last", "owner", "advice", "samples"],
  record: groupRecord
})

const diagnosed = (group: FailureGroup, range: TimeRange): DiagnosedGroup => {
  const [newest] = group.events
  const failure = newest === undefined ? undefined : failuresOf(newest).find(({ cause }) => cause === group.cause)
  return {
    group,
    trend: histogram(group.events, range, trendParts),
    cause: failure?.diagnosis.cause ?? "",
    advice: failure?.diagnosis.advice ?? "",
    samples: group.events.slice(0, samplesOfGroup).map(({ transactionId }) => transactionId)
  }
}

const joined = (a: TimeRange | undefined, b: TimeRange | undefined): TimeRange | undefined =>
  a === undefined || b === undefined ? (a ?? b) : { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) }

/** Reads the newest events that match and groups their failures. */
export const diagnoseEvents = Effect.fnUntraced(function* (filter: Filter, limit: number) {
  const now = yield* Clock.currentTimeMillis
  const walk = yield* EventWalk.make(yield* Events, { limit: largestPage, ...toQuery(filter, now) })
  const failed: Array<ActivityNotification> = []
  let range: TimeRange | undefined
  let read = 0
  while (read < limit) {
    const page = yield* walk.next
    if (page === undefined) break
    const events = page.data.slice(0, limit - read).filter((event) => matches(filter, event))
    read += Math.min(page.data.length, limit - read)
    range = joined(range, timeRange(events))
    // Only failures are kept, so that a long listing does not fill the memory.
    failed.push(...events.filter((event) => failuresOf(event).length > 0))
  }
  const groups = failureGroups(failed)
  const outcome: DiagnosedEvents = {
    read,
    failed: failed.length,
    range,
    groups: range === undefined ? [] : groups.map((group) => diagnosed(group, range))
  }
  return outcome
}, Effect.scoped)

/** Groups the failures of events by cause. */
export const diagnose = Effect.fnUntraced(function* (input: DiagnoseInput) {
  if (input.all && Option.isSome(input.limit)) {
    return yield* new UsageError({ message: "--all and --limit cannot be used together" })
  }
  const filter = input.filter.length === 0 ? clear : yield* readFilter(input.filter)
  const output = yield* openOutput(listing(yield* Clock.currentTimeMillis), input)
  const connection = yield* chooseConnection(input)
  const limit = input.all ? Number.POSITIVE_INFINITY : Option.getOrElse(input.limit, () => defaultLimit)
  const { failed, groups, read } = yield* diagnoseEvents(filter, limit).pipe(onConnection(connection))
  yield* output.rows(groups)
  yield* output.note(
    `${counted(failed, "failed event")} in ${counted(groups.length, "group")} among ${counted(read, "event")}`
  )
  if (input.failOnFailures && failed > 0) return yield* new Unsuccessful({ exitCode: exitCodes.checkFailed })
})
