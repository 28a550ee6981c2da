/**
 * Reads events again and again: those that arrive, and earlier ones until their steps are done. A delayed, digested or
 * retried step can fail long after its event.
 */
import { largestPage } from "@signalbox/core/Operations"
import { eventKey, timeOf } from "@signalbox/operator/reading/EventKey"
import type { ActivityNotification } from "@signalbox/core/Records"
import { type EventFilters, Events } from "@signalbox/core/Events"
import type { ListEventsError, Reason } from "@signalbox/core/Errors"
import { type Filter, matches, toQuery } from "@signalbox/operator/filter/Filter"
import { restoring } from "@signalbox/operator/reading/Restored"
import { isFinal, jobResult } from "@signalbox/operator/status/Status"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Connection } from "../../connection/Connection.ts"
import { usage } from "../../failure/CommandError.ts"
import { failureOf, failureText } from "../../failure/Failure.ts"
import type { Output } from "../../output/Output.ts"
import { Process } from "../../process/Process.ts"

const pollMs = 5_000

/** Services list an event a moment after the time that it has. */
const overlapMs = 2 * 60_000

/** Unfinished events that are read again; of more, the newest. */
const mostUnfinished = 5_000

/** Pages of unfinished events that are read again at each poll; the next poll continues with those before. */
const pagesOfPoll = 10

/** Reasons that no later poll changes. All others are outages or limits, during which an alerting tool keeps watching. */
const final: ReadonlySet<Reason["_tag"]> = new Set(["Unauthorized", "Forbidden", "InvalidRequest", "Rejected"])

const isoOf = (at: number): string => new Date(at).toISOString()

const isUnfinished = ({ jobs = [] }: ActivityNotification): boolean => jobs.some((job) => !isFinal(jobResult(job)))

/** Which events are followed, and what happens with them. */
export interface Following<E, R> {
  readonly filter: Filter
  readonly output: Pick<Output<never>, "note" | "warning">
  readonly connection: Pick<Connection, "renewKey">
  /** When to stop, in milliseconds since 1970; unlimited by default. */
  readonly until?: number
  /** Reads the events that came before. */
  readonly first: Effect.Effect<ReadonlyArray<ActivityNotification>, ListEventsError, Events>
  readonly onFirst: (events: ReadonlyArray<ActivityNotification>) => Effect.Effect<void, E, R>
  /** Runs after each later read with the events that match; events may come again. */
  readonly onRead: (events: ReadonlyArray<ActivityNotification>, now: number) => Effect.Effect<void, E, R>
}

/** The unfinished events. */
const makeUnfinished = () => {
  const times = new Map<string, number>()
  let position = Number.POSITIVE_INFINITY
  return {
    add: (events: ReadonlyArray<ActivityNotification>) => {
      for (const event of events) {
        const at = timeOf(event)
        if (isUnfinished(event) && !Number.isNaN(at)) times.set(eventKey(event), at)
        else times.delete(eventKey(event))
      }
      const newest = Array.from(times).sort(([, a], [, b]) => b - a)
      for (const [key] of newest.slice(mostUnfinished)) times.delete(key)
    },
    /** Reads a part of those until a time, by pages that start at the newest that was not read yet. */
    readAgain: Effect.fnUntraced(function* (filters: EventFilters, until: number) {
      const { list } = restoring(yield* Events)
      const found: Array<ActivityNotification> = []
      const older = Array.from(times.values()).filter((at) => at <= until)
      if (!older.some((at) => at < position)) position = Number.POSITIVE_INFINITY
      for (let page = 0; page < pagesOfPoll; page += 1) {
        const newest = Math.max(...older.filter((at) => at < position))
        if (!Number.isFinite(newest)) break
        const { data, hasMore } = yield* list({ ...filters, before: isoOf(newest + 1), limit: largestPage, page: 0 })
        const oldest = Math.min(newest, ...data.map(timeOf).filter((at) => !Number.isNaN(at)))
        position = hasMore ? oldest : Number.NEGATIVE_INFINITY
        // An event that the service no longer lists does not finish.
        const listed = new Set(data.map(eventKey))
        for (const [key, at] of times) if (at <= newest && at > position && !listed.has(key)) times.delete(key)
        found.push(...data.filter((event) => times.has(eventKey(event))))
      }
      return found
    })
  }
}

/** Refuses a filter that no event passes that is still to come. */
export const requireOpenEnd = ({ clauses }: Filter, command: string) =>
  clauses.some(({ key }) => key === "before")
    ? usage(`${command} reads the events that arrive; remove before from the filter`)
    : Effect.void

/**
 * Follows events until `until`, or until a handler fails. Outages are reported once and survived; the next read covers
 * the time since the last one.
 */
export const followEvents = Effect.fnUntraced(function* <E, R>(following: Following<E, R>) {
  const { connection, filter, first, onFirst, onRead, output, until = Number.POSITIVE_INFINITY } = following
  const { list } = restoring(yield* Events)
  const { writeError } = yield* Process
  const unfinished = makeUnfinished()
  let lost: ListEventsError | undefined
  let isRenewed = false
  const start = yield* Clock.currentTimeMillis
  let from = start
  /** Waits for the next read; whether there is time for one. */
  const pause = Effect.gen(function* () {
    const waited = Math.min(pollMs, until - (yield* Clock.currentTimeMillis))
    if (waited > 0) yield* Effect.sleep(waited)
    // Without its last reads, a watch cannot say that nothing is new.
    else if (lost !== undefined) return yield* Effect.fail(lost)
    return waited > 0
  })
  /** The outcome of the first read that succeeds. Fails where no later read can succeed, and at the end of the time. */
  const survived = Effect.fnUntraced(function* <A>(
    read: Effect.Effect<A, ListEventsError, Events>,
    onRecovery: Effect.Effect<void>
  ) {
    for (;;) {
      const result = yield* Effect.result(read)
      if (Result.isSuccess(result)) {
        if (lost !== undefined) yield* onRecovery
        lost = undefined
        isRenewed = false
        return result.success
      }
      const { failure } = result
      // Keys are rotated while a watch runs. A key that is new and refused, too, is no rotation.
      if (failure.reason._tag === "Unauthorized" && !isRenewed) {
        isRenewed = yield* Effect.orElseSucceed(connection.renewKey, () => false)
        if (isRenewed) {
          yield* output.warning("The API key has changed; reading continues with the new one")
          continue
        }
      }
      if (final.has(failure.reason._tag)) return yield* Effect.fail(failure)
      if (lost === undefined) {
        yield* writeError(failureText(failureOf(failure), false))
        yield* output.note("Still watching: the next successful read covers the time since the last one")
      }
      lost = failure
      yield* pause
    }
  })
  const past = yield* survived(first, Effect.void)
  unfinished.add(past)
  const known = past.map(timeOf).filter((at) => !Number.isNaN(at))
  const times = known.length === 0 ? [start - overlapMs, start] : known
  const oldest = times.reduce((a, b) => Math.min(a, b))
  // By the clock of the service, which may differ from this one.
  let newest = times.reduce((a, b) => Math.max(a, b))
  const readNews = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const { after: _, ...filters } = toQuery(filter, now)
    // An event with a time in the future must not hide those that arrive before it.
    const overlap = Math.max(oldest, Math.min(newest, from) - overlapMs)
    const found: Array<ActivityNotification> = []
    for (let page = 0; ; page += 1) {
      const { data, hasMore } = yield* list({ ...filters, after: isoOf(overlap), limit: largestPage, page })
      found.push(...data)
      if (!hasMore || data.length === 0) break
    }
    found.push(...(yield* unfinished.readAgain(filters, overlap)))
    return { found, now }
  })
  yield* onFirst(past.filter((event) => matches(filter, event)))
  while (yield* pause) {
    const { found, now } = yield* survived(
      readNews,
      Effect.suspend(() => output.note(`Recovered; read everything since ${isoOf(from)}`))
    )
    from = now
    newest = found.map(timeOf).reduce((a, b) => (b > a ? b : a), newest)
    unfinished.add(found)
    yield* onRead(
      found.filter((event) => matches(filter, event)),
      now
    )
  }
})
