/**
 * Reads all events of a window of time: parts of the window in parallel, the newest first. The client's rate governor
 * decides how fast.
 */
import type { ActivityNotification } from "@signalbox/core/Records"
import { eventKey, timeOf } from "../reading/EventKey.ts"
import type { EventFilters, EventsShape } from "@signalbox/core/Events"
import { largestPage } from "@signalbox/core/Operations"
import type { ListEventsError } from "@signalbox/core/Errors"
import * as Effect from "effect/Effect"
import { outlineOfJob, withFailuresOf } from "../diagnosis/FailureGroup.ts"
import type { TimeRange } from "../diagnosis/Histogram.ts"
import { eventResult, jobResult } from "../status/Status.ts"
import { oncePer } from "../reading/OncePer.ts"

/** Parts that are read at the same time. */
const concurrency = 4

/** Parts of a window: enough that a busy hour does not hold up the others. */
const parts = 48

/** How far a window was read. */
export interface WindowProgress {
  readonly events: number
  /** How many events the window probably has; absent until enough parts of it are read. */
  readonly expected?: number
}

/** How a window is read. */
export interface WindowOptions {
  /** Events that are kept whole, 20,000 if absent; of more, those that went well are kept as summaries. */
  readonly whole?: number
  /** The form in which other events are kept, {@link summaryOf} if absent. */
  readonly form?: (event: ActivityNotification) => ActivityNotification
  /** Runs after each page, with its events; an event at the edge of two parts may come twice. */
  readonly onPage?: (progress: WindowProgress, page: ReadonlyArray<ActivityNotification>) => Effect.Effect<void>
}

const isoOf = (at: number): string => new Date(at).toISOString()

/** The parts of a window, the newest first, which has no end: the clock of the service may be ahead of this one. */
const partsOf = ({ from, to }: TimeRange): ReadonlyArray<TimeRange> => {
  const length = Math.max(1, Math.ceil((to - from) / parts))
  return Array.from({ length: Math.ceil((to - from) / length) }, (_, index) => ({
    from: Math.max(from, to - (index + 1) * length),
    to: index === 0 ? Number.POSITIVE_INFINITY : to - index * length
  }))
}

/** An event that went well, without the parts that only a failure needs; any other event is returned unchanged. */
export const summaryOf = (event: ActivityNotification): ActivityNotification =>
  eventResult(event).kind === "ok" ? summary(event) : event

/**
 * Any event as a summary that keeps its failures, for their groups: a failed event is ten times as large. The same for the
 * same event.
 */
export const outlineOf: (event: ActivityNotification) => ActivityNotification = oncePer((event) => {
  const { template: _, ...rest } = summary(event)
  return withFailuresOf(event, rest)
})

const summary = ({
  _environmentId,
  _id,
  _organizationId,
  _subscriberId,
  createdAt,
  jobs = [],
  subscriber,
  template,
  transactionId
}: ActivityNotification): ActivityNotification => ({
  _environmentId,
  _organizationId,
  _subscriberId,
  transactionId,
  ...(_id === undefined ? {} : { _id }),
  ...(createdAt === undefined ? {} : { createdAt }),
  ...(subscriber === undefined ? {} : { subscriber }),
  ...(template === undefined ? {} : { template }),
  jobs: jobs.filter((job) => jobResult(job).kind === "ok").map((job) => outlineOfJob(job, "completed"))
})

/**
 * Reads the events of a window that ends now: newest first, each once.
 *
 * @example
 * ```ts
 * const day = { from: now - 86_400_000, to: now }
 * const events = yield* loadWindow(restoring(yield* Events), {}, day)
 * ```
 */
export const loadWindow = (
  { list }: Pick<EventsShape, "list">,
  filters: EventFilters,
  range: TimeRange,
  { form = summaryOf, onPage = () => Effect.void, whole = 20_000 }: WindowOptions = {}
): Effect.Effect<ReadonlyArray<ActivityNotification>, ListEventsError> =>
  Effect.suspend(() => {
    const found = new Map<string, ActivityNotification>()
    const all = partsOf(range)
    let partsDone = 0
    let eventsOfDone = 0
    const keep = (event: ActivityNotification) => {
      const key = eventKey(event)
      if (!found.has(key)) found.set(key, found.size < whole ? event : form(event))
    }
    const readPart = ({ from, to }: TimeRange) =>
      Effect.gen(function* () {
        let read = 0
        // The end of a part belongs to the part after it, whether or not the service counts it in: nothing is twice.
        const end = Number.isFinite(to) ? { before: isoOf(to + 1) } : {}
        const query = { ...filters, after: isoOf(from - 1), ...end, limit: largestPage }
        for (let page = 0; ; page += 1) {
          const { data, hasMore } = yield* list({ ...query, page })
          const inside = data.filter((event) => !(timeOf(event) < range.from))
          for (const event of inside) keep(event)
          read += inside.length
          if (!hasMore || data.length === 0) {
            partsDone += 1
            eventsOfDone += read
          }
          // At the end, events at the edges of two parts are known to be the same.
          const probably = partsDone === all.length ? found.size : Math.round((eventsOfDone * all.length) / partsDone)
          const expected = partsDone === 0 || probably < found.size ? {} : { expected: probably }
          yield* onPage({ events: found.size, ...expected }, inside)
          if (!hasMore || data.length === 0) return
        }
      })
    const orderOf = (event: ActivityNotification) => timeOf(event) || Number.NEGATIVE_INFINITY
    return Effect.map(Effect.forEach(all, readPart, { concurrency, discard: true }), () =>
      Array.from(found.values()).sort((a, b) => orderOf(b) - orderOf(a))
    )
  })
