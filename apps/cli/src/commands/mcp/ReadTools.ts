/**
 * The tools that read.
 */
import { largestPage } from "@signalbox/core/Operations"
import type { ActivityNotification } from "@signalbox/core/Records"
import { withInfo } from "@signalbox/core/CallInfo"
import { Events } from "@signalbox/core/Events"
import { diagnosesOf } from "@signalbox/operator/diagnosis/FailureGroup"
import { filterKeyNames } from "@signalbox/operator/filter/FilterKey"
import { covered } from "@signalbox/operator/diagnosis/Coverage"
import { reasonLines } from "@signalbox/operator/reading/UnreadableReasons"
import { eventResult, jobResult } from "@signalbox/operator/status/Status"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Connection } from "../../connection/Connection.ts"
import { Unsuccessful, usage } from "../../failure/CommandError.ts"
import { exitCodes } from "../../failure/ExitCode.ts"
import { diagnoseEvents, newestOf, windowSince } from "../events/Diagnose.ts"
import { readFilter } from "../events/FilterArgument.ts"
import { listEvents } from "../events/List.ts"
import { findEvents } from "../events/Show.ts"
import { addTool, cut, fitting, makeRoom } from "./McpTool.ts"

/** The options of the read tools. */
export interface ReadToolsOptions {
  readonly connection: Connection
  readonly allowWrites: boolean
  readonly showPayload: boolean
}

const filterField = Schema.optionalKey(
  Schema.String.annotate({
    description: `Conditions, e.g. status:failed after:24h channel:email subscriber:ID cause:GROUP; all must match, repeated keys are alternatives, -key:value excludes. Keys: ${filterKeyNames.join(", ")}.`
  })
)

const limited = (maximum: number, description: string) =>
  Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum })).annotate({ description }))

const textLimit = 300

/** Reasons for which parts could not be read; a response has few. */
const reasonLimit = 5

const group = Schema.Struct({
  group: Schema.String,
  title: Schema.String,
  count: Schema.Int,
  subscribers: Schema.Int,
  fixable: Schema.NullOr(Schema.Int),
  trend: Schema.Array(Schema.Int),
  cause: Schema.String,
  advice: Schema.String,
  owner: Schema.String,
  firstSeen: Schema.NullOr(Schema.String),
  lastSeen: Schema.NullOr(Schema.String),
  samples: Schema.Array(Schema.String)
})

const addDiagnose = addTool({
  name: "diagnose",
  title: "Diagnose failures",
  description:
    "Start here. Groups failed events by cause: count, trend (oldest to newest), cause, advice, owner (where to fix it), fixable (subscribers whose credentials still need a fix; null where credentials are not the cause) and sample transaction ids for get_event. It is unknown whether unreadable events failed. Unless isComplete, older events were not read.",
  effects: "reads",
  input: {
    filter: filterField,
    limit: limited(5000, "Events to read, newest first; by default 1000, or all with after in the filter."),
    since: Schema.optionalKey(
      Schema.String.annotate({ description: "Read all events since then instead, e.g. 24h or an ISO time." })
    )
  },
  output: {
    read: Schema.Int,
    isComplete: Schema.Boolean,
    matching: Schema.Int,
    failed: Schema.Int,
    unreadable: Schema.Int,
    unreadableReasons: Schema.Array(Schema.String),
    covers: Schema.NullOr(Schema.String),
    groups: Schema.Array(group),
    omitted: Schema.Int
  },
  handle: Effect.fnUntraced(function* ({ filter = "", limit, since }) {
    const wanted = yield* readFilter([filter])
    if (since !== undefined && limit !== undefined) {
      return yield* usage("limit and since cannot be used together")
    }
    const extent = yield* since === undefined ? Effect.succeed(newestOf(wanted, limit)) : windowSince(since, wanted)
    const { coverage, groups, isComplete, read, unreadable } = yield* diagnoseEvents(wanted, extent)
    const fits = makeRoom()
    const reasons = reasonLines(unreadable).map((line) => cut(line, textLimit))
    const unreadableReasons = fitting(reasons.slice(0, reasonLimit), fits).items
    const { items, omitted } = fitting(
      groups.map((diagnosed) => {
        const { credentials: _, provider: __, step: ___, fixable = null, ...record } = diagnosed
        const { advice, cause } = record
        return Object.assign(record, { fixable, cause: cut(cause, textLimit), advice: cut(advice, textLimit) })
      }),
      fits
    )
    return {
      read,
      isComplete,
      matching: coverage.events,
      failed: coverage.failed,
      unreadable: coverage.unreadable,
      unreadableReasons,
      covers: covered(coverage) ?? null,
      groups: items,
      omitted
    }
  })
})

const found = Schema.Struct({
  transactionId: Schema.String,
  eventId: Schema.NullOr(Schema.String),
  time: Schema.NullOr(Schema.String),
  result: Schema.String,
  workflow: Schema.NullOr(Schema.String),
  subscriberId: Schema.NullOr(Schema.String),
  steps: Schema.Array(Schema.String),
  cause: Schema.NullOr(Schema.String)
})

/** One part of all diagnoses of an event: it may have failed for several causes. */
const ofDiagnoses = (event: ActivityNotification, part: "advice" | "cause" | "owner"): string | null => {
  const parts = new Set(diagnosesOf(event).map((diagnosis) => cut(diagnosis[part], textLimit)))
  return parts.size === 0
    ? null
    : Array.from(parts)
        .slice(0, 5)
        .join(part === "owner" ? ", " : " ")
}

const causeOf = (event: ActivityNotification): string | null => {
  const { kind } = eventResult(event)
  return kind === "failed" || kind === "warning" ? ofDiagnoses(event, "cause") : null
}

const summaryOf = (event: ActivityNotification): typeof found.Type => ({
  transactionId: cut(event.transactionId, 100),
  eventId: event._id ?? null,
  time: event.createdAt ?? null,
  result: eventResult(event).kind,
  workflow: event.template === undefined ? null : cut(event.template.name, 100),
  subscriberId: event.subscriber === undefined ? null : cut(event.subscriber.subscriberId, 100),
  steps: (event.jobs ?? []).slice(0, 20).map(({ type }) => cut(type, 40)),
  cause: causeOf(event)
})

const addFindEvents = addTool({
  name: "find_events",
  title: "Find events",
  description:
    "Lists events, newest first, one short record each; fewer than limit where they are long. Until nextCursor is null, continue with it and the same filter.",
  effects: "reads",
  input: {
    filter: filterField,
    limit: limited(20, "Events to return; default 10."),
    cursor: Schema.optionalKey(Schema.String.annotate({ description: "nextCursor of an earlier response." }))
  },
  output: {
    events: Schema.Array(found),
    totalShown: Schema.Int,
    nextCursor: Schema.NullOr(Schema.String)
  },
  handle: Effect.fnUntraced(function* ({ cursor, filter = "", limit = 10 }) {
    const fits = makeRoom()
    const { events, next } = yield* listEvents(
      yield* readFilter([filter]),
      limit,
      Option.fromUndefinedOr(cursor),
      (event) => fits(summaryOf(event))
    )
    return { events: events.map(summaryOf), totalShown: events.length, nextCursor: next ?? null }
  })
})

const step = Schema.Struct({
  type: Schema.String,
  result: Schema.String,
  provider: Schema.NullOr(Schema.String),
  details: Schema.Array(Schema.String)
})

const detailLimit = 200

const stepsOf = ({ jobs = [] }: ActivityNotification): ReadonlyArray<typeof step.Type> =>
  jobs.map((job) => ({
    type: cut(job.type, 40),
    result: jobResult(job).word,
    provider: job.providerId === undefined ? null : cut(job.providerId, 60),
    details: job.executionDetails.slice(-6).map(({ detail, status }) => cut(`${status}: ${detail}`, detailLimit))
  }))

const payloadLimit = 2000

const payloadOf = ({ payload = {} }: ActivityNotification, show: boolean): string =>
  show ? cut(JSON.stringify(payload), payloadLimit) : cut(`hidden; keys: ${Object.keys(payload).join(", ")}`, textLimit)

const addGetEvent = ({ showPayload }: ReadToolsOptions) =>
  addTool({
    name: "get_event",
    title: "Get an event",
    description:
      "One event in detail: steps with their newest details, cause, advice, owner (where to fix it). Payloads are hidden by default.",
    effects: "reads",
    input: {
      id: Schema.String.check(Schema.isBetweenLength(1, 200)).annotate({
        description: "Transaction id; or the _id of a recent event."
      })
    },
    output: {
      event: found,
      steps: Schema.Array(step),
      omitted: Schema.Int,
      cause: Schema.NullOr(Schema.String),
      advice: Schema.NullOr(Schema.String),
      owner: Schema.NullOr(Schema.String),
      payload: Schema.String,
      otherEvents: Schema.Int
    },
    handle: Effect.fnUntraced(function* ({ id }) {
      const { found: events } = yield* findEvents(id, 20)
      const [event, ...others] = events
      if (event === undefined) {
        return yield* new Unsuccessful({
          exitCode: exitCodes.notFound,
          message: `no event has the id "${cut(id, 100)}"; use an id from find_events or diagnose`
        })
      }
      const { items, omitted } = fitting(stepsOf(event).slice(0, 15))
      return {
        event: summaryOf(event),
        steps: items,
        omitted,
        cause: ofDiagnoses(event, "cause"),
        advice: ofDiagnoses(event, "advice"),
        owner: ofDiagnoses(event, "owner"),
        payload: payloadOf(event, showPayload),
        otherEvents: others.length
      }
    })
  })

const addCheckConnection = ({ allowWrites, connection }: ReadToolsOptions) =>
  addTool({
    name: "check_connection",
    title: "Check the connection",
    description: "Whether the service responds and accepts the key; what of its records is not in the API document.",
    effects: "reads",
    input: {},
    output: {
      name: Schema.String,
      kind: Schema.String,
      writes: Schema.Boolean,
      status: Schema.Int,
      durationMs: Schema.Int,
      drift: Schema.Array(Schema.String),
      omitted: Schema.Int
    },
    handle: Effect.fnUntraced(function* () {
      const { call } = yield* withInfo(Events.use((events) => events.list({ limit: largestPage })))
      const counts = new Map<string, number>()
      for (const { kind, path } of call.drift) {
        const place = `${kind} ${path}`.replaceAll(/\d+/gu, "N")
        counts.set(place, (counts.get(place) ?? 0) + 1)
      }
      const { items, omitted } = fitting(Array.from(counts, ([place, count]) => cut(`${count} × ${place}`, 150)))
      return {
        name: connection.name,
        kind: connection.kind,
        writes: allowWrites,
        status: call.status,
        durationMs: Math.round(call.durationMs),
        drift: items,
        omitted
      }
    })
  })

/** Registers the tools that read. */
export const addReadTools = Effect.fnUntraced(function* (options: ReadToolsOptions) {
  yield* addDiagnose
  yield* addFindEvents
  yield* addGetEvent(options)
  yield* addCheckConnection(options)
})
