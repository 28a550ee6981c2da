import { readFile } from "node:fs/promises"
import { Events } from "@signalbox/core/Events"
import { ownerNames } from "@signalbox/operator/diagnosis/Owner"
import { type Filter, format, toQuery } from "@signalbox/operator/filter/Filter"
import { restoring } from "@signalbox/operator/reading/Restored"
import { shellWord } from "@signalbox/operator/report/Curl"
import { counted } from "@signalbox/operator/text/Counted"
import { isSilent, knownCausesPath, noKnownCauses, parseKnownCauses } from "@signalbox/operator/connections/KnownCauses"
import { notification } from "@signalbox/operator/text/Notification"
import { loadWindow } from "@signalbox/operator/window/LoadWindow"
import { type Alert, noWatch, periodMs, watched } from "@signalbox/operator/window/Watch"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { commandOn } from "../../connection/CommandOn.ts"
import { chooseConnection, type Connection, onConnection } from "../../connection/Connection.ts"
import { loadOwnRules } from "../../connection/OwnRules.ts"
import { checkFailed, usage } from "../../failure/CommandError.ts"
import type { Listing } from "../../output/Listing.ts"
import { openOutput } from "../../output/Output.ts"
import { zoneFor } from "../../output/OutputFlags.ts"
import type { Zone } from "@signalbox/operator/text/Zone"
import { Process } from "../../process/Process.ts"
import { filterOf } from "../events/FilterArgument.ts"
import { followEvents, requireOpenEnd } from "../events/FollowEvents.ts"
import type { WatchInput } from "./Watch.ts"

/** Causes of this time are no news. */
const pastMs = 3_600_000

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

/** Refuses a filter that no failed event passes. */
const requireFailures = ({ clauses }: Filter) =>
  clauses.some(({ key, negated, values }) => key === "status" && values.includes("failed") === negated)
    ? usage("watch alerts about failed events only; remove status from the filter")
    : Effect.void

/** Follows events and prints news about the causes of failures. */
export const watchCauses = Effect.fnUntraced(function* (input: WatchInput) {
  const filter = yield* filterOf(input)
  yield* requireOpenEnd(filter, "watch")
  yield* requireFailures(filter)
  const start = yield* Clock.currentTimeMillis
  yield* loadOwnRules
  const connection = yield* chooseConnection(input)
  const output = yield* openOutput(listing(zoneFor(input, start), start), input)
  const { stderrIsTerminal, writeError } = yield* Process
  let state = noWatch
  // Events of the time before the service is up are news.
  const query = { ...toQuery(filter, start), before: isoOf(start + 1) }
  const follow = followEvents({
    filter,
    output,
    connection,
    ...(Option.isSome(input.for) ? { until: start + input.for.value } : {}),
    first: Effect.flatMap(Events, (events) =>
      loadWindow(restoring(events), query, { from: start - pastMs, to: start })
    ),
    onFirst: (events) => {
      state = watched(state, events, start, { isPast: true }).state
      const had =
        events.length === 0 && filter.clauses.length > 0
          ? `no event for ${format(filter)}`
          : counted(state.causes.size, "cause")
      return output.note(`Watching; the last hour had ${had}; ctrl-c stops`)
    },
    onRead: Effect.fnUntraced(function* (events, now) {
      const news = watched(state, events, now)
      state = news.state
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
    })
  })
  yield* follow.pipe(onConnection(connection))
})
