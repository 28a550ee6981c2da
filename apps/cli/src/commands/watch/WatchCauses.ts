import { readFile } from "node:fs/promises"
import { largestPage } from "@signalbox/core/Operations"
import type { ActivityNotification } from "@signalbox/core/Records"
import { Events } from "@signalbox/core/Events"
import type { ListEventsError, Reason } from "@signalbox/core/Errors"
import { ownerNames } from "@signalbox/operator/diagnosis/Owner"
import { type Filter, matches, toQuery } from "@signalbox/operator/filter/Filter"
import { restoring } from "@signalbox/operator/reading/Restored"
import { shellWord } from "@signalbox/operator/report/Curl"
import { counted } from "@signalbox/operator/text/Counted"
import { isSilent, knownCausesPath, noKnownCauses, parseKnownCauses } from "@signalbox/operator/connections/KnownCauses"
import { notification } from "@signalbox/operator/text/Notification"
import { loadWindow } from "@signalbox/operator/window/LoadWindow"
import { type Alert, type AlertKind, noWatch, periodMs, watched } from "@signalbox/operator/window/Watch"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { commandOn } from "../../connection/CommandOn.ts"
import { chooseConnection, type Connection, onConnection } from "../../connection/Connection.ts"
import type { ConnectionOptions } from "../../connection/ConnectionFlags.ts"
import { loadOwnRules } from "../../connection/OwnRules.ts"
import { checkFailed } from "../../failure/CommandError.ts"
import { failureOf, failureText } from "../../failure/Failure.ts"
import type { Listing } from "../../output/Listing.ts"
import { openOutput } from "../../output/Output.ts"
import { type OutputOptions, zoneFor } from "../../output/OutputFlags.ts"
import type { Zone } from "@signalbox/operator/text/Zone"
import { Process } from "../../process/Process.ts"
import { filterOf } from "../events/FilterArgument.ts"

/** The input of `watch`. */
export interface WatchInput extends OutputOptions, ConnectionOptions {
  readonly filter: ReadonlyArray<string>
  readonly exitOn: Option.Option<AlertKind | "any">
  /** Milliseconds. */
  readonly for: Option.Option<number>
  readonly notify: boolean
}

/** Causes of this time are no news. */
const pastMs = 3_600_000

const pollMs = 5_000

/** Services list an event a moment after the time that it has, and its steps may fail later. */
const overlapMs = 2 * 60_000

const isoOf = (at: number): string => new Date(at).toISOString()

/** The command that shows the events of the cause. A new demo has its incident only after half a minute. */
const commandOf = (connection: Connection, cause: string): string =>
  commandOn(connection, "events list", shellWord(`cause:"${cause}"`)) + (connection.kind === "demo" ? " --follow" : "")

const rowOf = ({ at, before, cause, count, kind, owner, title }: Alert, connection: Connection) => ({
  time: isoOf(at),
  alert: kind,
  group: cause,
  title,
  owner,
  count,
  before,
  periodSeconds: periodMs / 1000,
  command: commandOf(connection, cause)
})

const listing = (zone: Zone, start: number): Listing<ReturnType<typeof rowOf>> => ({
  fields: {
    time: { title: `time ${zone.heading}`, cell: ({ time }) => zone.moment(time, start), isShort: true },
    alert: {
      cell: ({ alert }) => alert.toUpperCase(),
      tone: ({ alert }) => (alert === "ended" ? "good" : "bad"),
      isShort: true
    },
    title: {},
    count: {
      cell: ({ alert, before, count }) =>
        alert === "doubled" ? `${before} to ${count} in 5 min` : `${count} in 5 min`,
      isShort: true
    },
    owner: { title: "who can fix", cell: ({ owner }) => ownerNames[owner], isShort: true },
    group: {},
    before: {},
    periodSeconds: {},
    command: {}
  },
  columns: ["time", "alert", "title", "count", "owner"]
})

/** The causes that the terminal UI keeps for a connection. */
const readKnown = Effect.fnUntraced(function* (connection: string) {
  const { environment } = yield* Process
  const path = knownCausesPath(environment, connection)
  const text = yield* Effect.promise(() => readFile(path, "utf8").catch(() => ""))
  return parseKnownCauses(text)
})

/** All events since a time that match, by the pages of one query. */
const readSince = Effect.fnUntraced(function* (filter: Filter, from: number, now: number) {
  const { list } = restoring(yield* Events)
  const found: Array<ActivityNotification> = []
  for (let page = 0; ; page += 1) {
    const { data, hasMore } = yield* list({ ...toQuery(filter, now), after: isoOf(from), limit: largestPage, page })
    found.push(...data.filter((event) => matches(filter, event)))
    if (!hasMore || data.length === 0) return found
  }
})

/** Reasons that no later poll changes. All others are outages or limits, during which an alerting tool keeps watching. */
const final: ReadonlySet<Reason["_tag"]> = new Set(["Unauthorized", "Forbidden", "InvalidRequest", "Rejected"])

/** Follows events and prints news about the causes of failures. */
export const watchCauses = Effect.fnUntraced(function* (input: WatchInput) {
  const filter = yield* filterOf(input)
  const start = yield* Clock.currentTimeMillis
  yield* loadOwnRules
  const connection = yield* chooseConnection(input)
  const output = yield* openOutput(listing(zoneFor(input, start), start), input)
  const { stderrIsTerminal, writeError } = yield* Process
  const until = Option.match(input.for, { onNone: () => Number.POSITIVE_INFINITY, onSome: (length) => start + length })
  const follow = Effect.gen(function* () {
    let lost: ListEventsError | undefined
    /** Fails where no later read can succeed; reports the first failure of an outage. */
    const keepWatching = Effect.fnUntraced(function* (failure: ListEventsError) {
      if (final.has(failure.reason._tag)) return yield* Effect.fail(failure)
      if (lost === undefined) {
        yield* writeError(failureText(failureOf(failure), false))
        yield* output.note("Still watching: the next successful read covers the time since the last one")
      }
      lost = failure
    })
    /** Waits for the next read; whether there is time for one. */
    const pause = Effect.gen(function* () {
      const waited = Math.min(pollMs, until - (yield* Clock.currentTimeMillis))
      if (waited > 0) yield* Effect.sleep(waited)
      // Without its last reads, a watch cannot say that nothing is new.
      else if (lost !== undefined) return yield* Effect.fail(lost)
      return waited > 0
    })
    const readPast = Effect.result(
      loadWindow(restoring(yield* Events), toQuery(filter, start), { from: start - pastMs, to: start })
    )
    let past = yield* readPast
    for (; Result.isFailure(past); past = yield* readPast) {
      yield* keepWatching(past.failure)
      if (!(yield* pause)) return
    }
    lost = undefined
    const known = past.success.events.filter((event) => matches(filter, event))
    let { state } = watched(noWatch, known, start, { isPast: true })
    yield* output.note(`Watching; the last hour had ${counted(state.causes.size, "cause")}; ctrl-c stops`)
    let from = start
    while (yield* pause) {
      const now = yield* Clock.currentTimeMillis
      const read = yield* Effect.result(readSince(filter, from - overlapMs, now))
      if (Result.isFailure(read)) {
        yield* keepWatching(read.failure)
        continue
      }
      if (lost !== undefined) yield* output.note(`Recovered; read everything since ${isoOf(from)}`)
      lost = undefined
      const news = watched(state, read.success, now)
      state = news.state
      from = now
      // Read each time: a cause may be silenced while the watch runs.
      const kept = news.alerts.length === 0 ? noKnownCauses : yield* readKnown(connection.name)
      const alerts = news.alerts.filter(({ cause }) => !isSilent(kept, cause, now))
      yield* output.rows(alerts.map((alert) => rowOf(alert, connection)))
      for (const alert of alerts) {
        if (input.notify && stderrIsTerminal && alert.kind !== "ended")
          yield* writeError(notification(`${alert.kind}: ${alert.title}`))
      }
      const isWanted = ({ kind }: Alert) => Option.exists(input.exitOn, (wanted) => wanted === "any" || wanted === kind)
      if (alerts.some(isWanted)) return yield* checkFailed("watch --exit-on")
    }
  })
  yield* follow.pipe(onConnection(connection))
})
