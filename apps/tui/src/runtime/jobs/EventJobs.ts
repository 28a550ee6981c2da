/**
 * Jobs that read events.
 */
import type { ListEventsError } from "@signalbox/core/Errors"
import { Events, type EventsShape } from "@signalbox/core/Events"
import { withInfo } from "@signalbox/core/CallInfo"
import type { Unreadable } from "@signalbox/core/Drift"
import { largestPage } from "@signalbox/core/Operations"
import type { ActivityNotification } from "@signalbox/core/Records"
import { prepare } from "@signalbox/operator/filter/Filter"
import { restoring } from "@signalbox/operator/reading/Restored"
import { counted } from "@signalbox/operator/text/Counted"
import { duration } from "@signalbox/operator/text/Moment"
import { loadWindow, type WindowProgress } from "@signalbox/operator/window/LoadWindow"
import { findOnset, type Onset, sampleWindow } from "@signalbox/operator/window/Sample"
import * as Effect from "effect/Effect"
import { filtersFor } from "../../screens/event/EventScreen.ts"
import { eventKey } from "@signalbox/operator/reading/EventKey"
import type { CommandOf } from "../../state/Command.ts"
import type { Msg } from "../../state/Msg.ts"
import type { CallFacts } from "../../state/Requests.ts"
import { requestOf } from "../RequestOf.ts"
import { type Job, type JobContext, noticed, toMessage } from "./Job.ts"

/** Pages that a live tail reads at once; more new events than they have leave a gap. */
const tailPages = 10

/** Causes whose onset a sample looks for: each takes up to 40 requests. */
const onsetCauses = 5

/**
 * Reads every page of events since the last read, the newest first; a listing that continues after them has a gap.
 */
const tailJob = (command: CommandOf<"LoadEvents">, context: JobContext): Job => {
  const { filters, mode, screenId } = command
  let page = 0
  const pages = Effect.gen(function* () {
    const events = restoring(yield* Events)
    const data: Array<ActivityNotification> = []
    const unreadable: Array<Unreadable> = []
    for (page = 0; ; page += 1) {
      const { call, value } = yield* withInfo(events.list({ ...filters, page }))
      data.push(...value.data)
      unreadable.push(...call.unreadable)
      if (!value.hasMore || page === tailPages - 1) return { page: { ...value, data, page: 0 }, unreadable }
    }
  })
  return {
    label: "reading new events",
    request: () => requestOf({ ...command, filters: { ...filters, page } }, context.session.info),
    effect: toMessage(
      context,
      pages,
      ({ page: read, unreadable }, call): Msg => ({
        _tag: "EventsLoaded",
        screenId,
        mode,
        page: read,
        call: { ...call, unreadable }
      }),
      (problem) => ({ _tag: "EventsFailed", screenId, mode, problem })
    )
  }
}
/** How much of a window is read, and how long the rest takes. */
const windowProgress = ({ events, expected }: WindowProgress, elapsedMs: number): string => {
  if (expected === undefined) return counted(events, "event")
  const left = events === 0 ? 0 : (elapsedMs * (expected - events)) / events
  return `${events} of about ${expected}${left < 1000 ? "" : `, ${duration(left)} left`}`
}

type WindowCommand = CommandOf<"LoadWindow" | "SampleWindow">

/** Lists events for a window; the request log shows the request that was started last. */
const windowJob = <A>(
  { filters, name, screenId }: WindowCommand,
  context: JobContext,
  label: string,
  read: (events: Pick<EventsShape, "list">, report: (progress: string) => void) => Effect.Effect<A, ListEventsError>,
  done: (value: A, call: CallFacts) => Msg
): Job => {
  let last = filters
  const unreadable: Array<Unreadable> = []
  return {
    label: `${label} ${name}`,
    request: () =>
      requestOf({ _tag: "LoadEvents", screenId, mode: "more", filters: last, page: 0 }, context.session.info),
    effect: (report) =>
      toMessage(
        context,
        Events.use((events) => {
          const { list } = restoring(events, (parts) => unreadable.push(...parts))
          const noted: Pick<EventsShape, "list"> = {
            list: (wanted = {}) => {
              last = wanted
              return list(wanted)
            }
          }
          return read(noted, report)
        }),
        (value, call) => done(value, { ...call, unreadable }),
        (problem) => ({ _tag: "EventsFailed", screenId, mode: "window", problem })
      )
  }
}

/** Reads all events of a window. */
export const readWindow = (command: WindowCommand, context: JobContext): Job =>
  windowJob(
    command,
    context,
    "loading",
    (events, report) => {
      const startedAt = context.now()
      return loadWindow(events, command.filters, command.range, {
        onPage: (progress, page) =>
          Effect.sync(() => {
            // Part by part: all at once would keep keys waiting.
            if (!context.isMasked()) prepare(page)
            report(windowProgress(progress, context.now() - startedAt))
          })
      })
    },
    (events, call) => ({
      _tag: "EventsLoaded",
      screenId: command.screenId,
      mode: "window",
      page: { data: events, hasMore: true, page: 0, pageSize: largestPage },
      call
    })
  )

/** Reads a sample of the events of a window, and finds since when its causes occur. */
export const readSample = (command: WindowCommand, context: JobContext): Job =>
  windowJob(
    command,
    context,
    "sampling",
    (events, report) =>
      Effect.gen(function* () {
        const { filters, name, range } = command
        const sample = yield* sampleWindow(events, filters, range)
        const onsets = new Map<string, Onset>()
        for (const { cause, title } of sample.groups.slice(0, onsetCauses)) {
          report(`since when: ${title}`)
          onsets.set(cause, yield* findOnset(events, filters, sample, cause))
        }
        return { name, sample, onsets }
      }),
    (report) => ({ _tag: "WindowSampled", screenId: command.screenId, report })
  )
/** Labels of the tasks that read the list. */
const listLabels = {
  first: "reading events",
  more: "reading older events",
  refresh: "reading the newest events",
  window: "reading events"
} as const

/** Reads a page of events, or those since the last read. */
export const loadEvents = (command: CommandOf<"LoadEvents">, context: JobContext): Job => {
  const { filters, mode, screenId } = command
  if (mode === "tail") return tailJob(command, context)
  return {
    label: listLabels[mode],
    ...(mode === "more" ? { yieldsToKeys: true } : {}),
    effect: toMessage(
      context,
      Events.use((events) => restoring(events).list(filters)),
      (page, call) => ({ _tag: "EventsLoaded", screenId, mode, page, call }),
      (problem) => ({ _tag: "EventsFailed", screenId, mode, problem })
    )
  }
}

/** Reads an event again. */
export const loadEvent = ({ delay = 0, event, screenId }: CommandOf<"LoadEvent">, context: JobContext): Job => ({
  label: delay > 0 ? "following the event until its steps are done" : "reading the event again",
  effect: toMessage(
    context,
    Events.use((events) => restoring(events).list(filtersFor(event))),
    (page): Msg => ({
      _tag: "EventLoaded",
      screenId,
      event: page.data.find((read) => eventKey(read) === eventKey(event))
    }),
    (problem) => ({ _tag: "EventFailed", screenId, problem })
  ).pipe(Effect.delay(delay))
})

/** Reads the event of a transaction. */
export const findEvent = ({ transactionId }: CommandOf<"FindEvent">, context: JobContext): Job => ({
  label: "reading the event",
  effect: toMessage(
    context,
    Events.use((events) => restoring(events).list({ transactionId, limit: largestPage })),
    (page): Msg => ({ _tag: "EventFound", transactionId, event: page.data[0] }),
    noticed
  )
})
