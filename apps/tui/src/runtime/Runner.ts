import { messageOf } from "@signalbox/operator/text/SystemReason"
import { largestPage } from "@signalbox/core/Operations"
import { type CallInfo, CallObserver, withInfo } from "@signalbox/core/CallInfo"
import { anyProvider, Credentials } from "@signalbox/core/Credentials"
import { Events, type EventsShape } from "@signalbox/core/Events"
import type { Attempt, ListEventsError } from "@signalbox/core/Errors"
import { Messages } from "@signalbox/core/Messages"
import type { ActivityNotification } from "@signalbox/core/Records"
import type { Unreadable } from "@signalbox/core/Drift"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import type { Command } from "../state/Command.ts"
import type { Msg } from "../state/Msg.ts"
import type { Problem } from "@signalbox/operator/report/ProblemReport"
import { filtersFor } from "../screens/event/EventScreen.ts"
import { eventKey } from "../screens/events/EventIndex.ts"
import type { FileRunChanges, FileRunLines } from "../state/FileRun.ts"
import type { FileRunner } from "./FileRunner.ts"
import type { Host } from "./Host.ts"
import { markReportFrom } from "./MarkReport.ts"
import { outcomeName, problemFrom } from "./Problems.ts"
import type { Services, Session } from "./Session.ts"
import { restoring } from "@signalbox/operator/reading/Restored"
import { outlet } from "@signalbox/operator/outlet/Outlet"
import { prepare } from "@signalbox/operator/filter/Filter"
import { duration } from "@signalbox/operator/text/Moment"
import { loadWindow, type WindowProgress } from "@signalbox/operator/window/LoadWindow"
import { findOnset, type Onset, sampleWindow } from "@signalbox/operator/window/Sample"
import { counted } from "@signalbox/operator/text/Counted"
import type { CallFacts, Request } from "../state/Requests.ts"
import { makeRecordings } from "./Recordings.ts"
import { requestOf, upsertRequest } from "./RequestOf.ts"

const factsOf = (call: CallInfo): CallFacts => ({
  status: call.status,
  durationMs: call.durationMs,
  attempts: call.attempts.length,
  unreadable: call.unreadable,
  ...(call.idempotencyKey === undefined ? {} : { idempotencyKey: call.idempotencyKey }),
  ...(call.requestId === undefined ? {} : { requestId: call.requestId })
})

/** Pages that a live tail reads at once; more new events than they have leave a gap. */
const tailPages = 10

/** Events of an export that are written at once: a few milliseconds of work. */
const exportedAtOnce = 100

/** Causes whose onset a sample looks for: each takes up to 40 requests. */
const onsetCauses = 5

const failedNotice = (text: string): Msg => ({ _tag: "Noticed", notice: { text, tone: "failed" } })

const noticed = ({ advice, summary }: Problem): Msg => failedNotice(`${summary} ${advice}`)

const runEnded = (exit: Exit.Exit<FileRunLines, unknown>): Msg => {
  if (Exit.isSuccess(exit)) return { _tag: "RunEnded", outcome: "finished", ...exit.value }
  if (Cause.hasInterruptsOnly(exit.cause)) return { _tag: "RunEnded", outcome: "paused" }
  return { _tag: "RunEnded", outcome: "failed", problem: messageOf(Cause.squash(exit.cause)) }
}

/** Carries commands out on the services of the current session, and reports with messages. */
export interface Runner {
  readonly run: (command: Command) => void
  /** How many jobs are on their way. */
  readonly running: () => number
  readonly close: () => Promise<void>
}

interface Job {
  readonly label: string
  /** The request that is being made, where a job makes several. */
  readonly request?: () => Request | undefined
  readonly writes?: true
  /** `report` shows how far it is. */
  readonly effect:
    | Effect.Effect<Msg, never, Services>
    | ((report: (progress: string) => void) => Effect.Effect<Msg, never, Services>)
}

/** The surroundings of a runner: the receiver of messages, the terminal, and the connections. */
export interface RunnerOptions {
  readonly session: Session
  readonly dispatch: (message: Msg) => void
  readonly host: Host
  readonly connect: (name: string) => Effect.Effect<Session, { readonly message: string }>
  readonly now: () => number
  /** Whether personal data is masked now, which a recording follows. */
  readonly isMasked: () => boolean
  readonly runFile?: FileRunner | undefined
}

/** A runner. Each job is a task that the screens show; closing the session interrupts what runs. */
export const makeRunner = ({
  session: first,
  dispatch,
  host,
  connect,
  now,
  isMasked,
  runFile
}: RunnerOptions): Runner => {
  let session = first
  let nextTask = 1
  let running = 0
  const recordings = makeRecordings({ dispatch, host, isMasked, now })

  const toMessage = <A, E, R>(
    effect: Effect.Effect<A, E, R>,
    done: (value: A, call: CallFacts) => Msg,
    failed: (problem: Problem, cause: Cause.Cause<E>) => Msg
  ): Effect.Effect<Msg, never, R> =>
    Effect.map(Effect.exit(withInfo(effect)), (exit) =>
      Exit.isSuccess(exit)
        ? done(exit.value.value, factsOf(exit.value.call))
        : failed(problemFrom(exit.cause, now()), exit.cause)
    )

  /**
   * Reads every page of events since the last read, the newest first; a listing that continues after them has a gap.
   */
  const tailJob = (command: Extract<Command, { readonly _tag: "LoadEvents" }>): Job => {
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
      request: () => requestOf({ ...command, filters: { ...filters, page } }, session.info),
      effect: toMessage(
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
  const windowProgress = ({ events, expected }: WindowProgress, startedAt: number): string => {
    if (expected === undefined) return counted(events, "event")
    const left = events === 0 ? 0 : ((now() - startedAt) * (expected - events)) / events
    return `${events} of about ${expected}${left < 1000 ? "" : `, ${duration(left)} left`}`
  }

  type WindowCommand = Extract<Command, { readonly _tag: "LoadWindow" | "SampleWindow" }>

  /** Lists events for a window; the request log shows the request that was started last. */
  const windowJob = <A>(
    { filters, name, screenId }: WindowCommand,
    label: string,
    read: (events: Pick<EventsShape, "list">, report: (progress: string) => void) => Effect.Effect<A, ListEventsError>,
    done: (value: A, call: CallFacts) => Msg
  ): Job => {
    let last = filters
    const unreadable: Array<Unreadable> = []
    return {
      label: `${label} ${name}`,
      request: () => requestOf({ _tag: "LoadEvents", screenId, mode: "more", filters: last, page: 0 }, session.info),
      effect: (report) =>
        toMessage(
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

  const loadWindowJob = (command: WindowCommand): Job =>
    windowJob(
      command,
      "loading",
      (events, report) => {
        const startedAt = now()
        return loadWindow(events, command.filters, command.range, {
          onPage: (progress, page) =>
            Effect.sync(() => {
              // Part by part: all at once would keep keys waiting.
              if (!isMasked()) prepare(page)
              report(windowProgress(progress, startedAt))
            })
        })
      },
      ({ events }, call) => ({
        _tag: "EventsLoaded",
        screenId: command.screenId,
        mode: "window",
        page: { data: events, hasMore: true, page: 0, pageSize: largestPage },
        call
      })
    )

  const sampleWindowJob = (command: WindowCommand): Job =>
    windowJob(
      command,
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

  /** Saves events part by part, so that keys keep working; an incomplete file is removed. */
  const exportJob = ({ events, name }: Extract<Command, { readonly _tag: "ExportEvents" }>): Job => {
    const what = counted(events.length, "event")
    return {
      label: `saving ${what}`,
      effect: (report) =>
        Effect.acquireUseRelease(
          Effect.tryPromise({ try: () => host.create(name), catch: messageOf }),
          (file) =>
            Effect.gen(function* () {
              for (let at = 0; at < events.length; at += exportedAtOnce) {
                const part = events.slice(at, at + exportedAtOnce)
                yield* Effect.tryPromise({ try: () => file.append(outlet("files").lines(part)), catch: messageOf })
                report(`${at + part.length} of ${events.length}`)
              }
              return { text: `${what} saved as ${file.path}`, tone: "ok" } as const
            }),
          (file, exit) => Effect.promise(() => file.close(Exit.isSuccess(exit)))
        ).pipe(
          Effect.catch((problem) => Effect.succeed({ text: `not saved: ${problem}`, tone: "failed" } as const)),
          Effect.map((notice): Msg => ({ _tag: "Noticed", notice })),
          Effect.onInterrupt(() =>
            Effect.sync(() =>
              dispatch({
                _tag: "Noticed",
                notice: { text: `export stopped; ${name} was removed`, tone: "warning" }
              })
            )
          )
        )
    }
  }

  const jobOf = (command: Command): Job | undefined => {
    switch (command._tag) {
      case "LoadEvents": {
        const { screenId, mode, filters } = command
        if (mode === "tail") return tailJob(command)
        return {
          label:
            mode === "more"
              ? "reading older events"
              : mode === "refresh"
                ? "reading the newest events"
                : "reading events",
          effect: toMessage(
            Events.use((events) => restoring(events).list(filters)),
            (page, call) => ({ _tag: "EventsLoaded", screenId, mode, page, call }),
            (problem) => ({ _tag: "EventsFailed", screenId, mode, problem })
          )
        }
      }
      case "LoadWindow":
        return loadWindowJob(command)
      case "SampleWindow":
        return sampleWindowJob(command)
      case "LoadEvent": {
        const { screenId, event, delay = 0 } = command
        return {
          label: delay > 0 ? "following the event until its steps are done" : "reading the event again",
          effect: toMessage(
            Events.use((events) => restoring(events).list(filtersFor(event))),
            (page): Msg => ({
              _tag: "EventLoaded",
              screenId,
              event: page.data.find((read) => eventKey(read) === eventKey(event))
            }),
            (problem) => ({ _tag: "EventFailed", screenId, problem })
          ).pipe(Effect.delay(delay))
        }
      }
      case "UpsertCredentials": {
        const { screenId, subscriberId, input } = command
        return {
          writes: true,
          label: `changing the ${input.providerId} credentials of ${subscriberId}`,
          effect: toMessage(
            Credentials.use((credentials) =>
              credentials.upsert(
                subscriberId,
                anyProvider(input.providerId, input.credentials, input.integrationIdentifier)
              )
            ),
            (subscriber, call) => ({ _tag: "CredentialsSaved", screenId, subscriber, call }),
            (problem) => ({ _tag: "CredentialsRefused", screenId, problem })
          )
        }
      }
      case "MarkMessages": {
        const { screenId, mark } = command
        const { ids, markAs, subscriberId } = mark
        return {
          writes: true,
          label: `marking ${counted(ids.length, "message")} as ${markAs}`,
          effect: toMessage(
            Messages.use((messages) => messages.markManyAs(subscriberId, ids, markAs)),
            ({ messages, notReturned }, call) => ({
              _tag: "MessagesMarked",
              screenId,
              mark,
              messages,
              notReturned,
              call
            }),
            (problem, cause) => ({ _tag: "MarkFailed", screenId, mark, report: markReportFrom(cause, ids), problem })
          )
        }
      }
      case "TriggerAgain": {
        const { event } = command
        if (session.retrigger === undefined) return undefined
        return {
          label: "[DEMO] triggering again",
          effect: Effect.map(session.retrigger(event), ({ transactionId }): Msg => ({
            _tag: "Triggered",
            transactionId
          }))
        }
      }
      case "ExportEvents":
        return exportJob(command)
      case "FindEvent": {
        const { transactionId } = command
        return {
          label: "reading the event",
          effect: toMessage(
            Events.use((events) => restoring(events).list({ transactionId, limit: largestPage })),
            (page): Msg => ({ _tag: "EventFound", transactionId, event: page.data[0] }),
            noticed
          )
        }
      }
      default:
        return undefined
    }
  }

  /** Shows a task until the returned function is called. */
  const begin = (label: string, writes = false) => {
    const id = nextTask
    nextTask += 1
    running += 1
    dispatch({ _tag: "TaskStarted", task: { id, label, startedAt: now(), writes } })
    const end = () => {
      running -= 1
      dispatch({ _tag: "TaskEnded", id })
    }
    return { id, end }
  }

  const recordAttempt = (request: Request | undefined, attempt: Attempt) => {
    if (request !== undefined) dispatch({ _tag: "RequestMade", request: { ...request, ...attempt } })
  }

  /** Functions that end the reads in flight. */
  const reads = new Map<number, () => void>()

  const start = ({ effect, label, request: requestNow, writes }: Job, command: Command) => {
    const only = requestOf(command, session.info)
    const { end, id } = begin(label, writes)
    const observer: CallObserver = {
      onWait: (delayMs) => dispatch({ _tag: "TaskWaits", id, until: now() + delayMs }),
      onAttempt: (attempt) => {
        recordAttempt(requestNow?.() ?? only, attempt)
        const { number, outcome } = attempt
        if (outcome !== "success")
          dispatch({ _tag: "TaskNoted", id, note: `attempt ${number} failed (${outcomeName(outcome)})` })
      }
    }
    const made =
      typeof effect === "function" ? effect((progress) => dispatch({ _tag: "TaskProgressed", id, progress })) : effect
    const cancel = session.runtime.runCallback(Effect.provideService(made, CallObserver, observer), {
      onExit: (exit) => {
        if (Exit.isSuccess(exit)) dispatch(exit.value)
        // Closing a session interrupts its jobs; every other end of a job must be reported.
        else if (!Cause.hasInterruptsOnly(exit.cause)) dispatch(noticed(problemFrom(exit.cause, now())))
        reads.delete(id)
        end()
      }
    })
    if (writes !== true && running > 0) reads.set(id, cancel)
  }

  /** Ends every read; a write that is on its way is never interrupted. */
  const stopReading = () => {
    const cancels = Array.from(reads.values())
    reads.clear()
    for (const cancel of cancels) cancel()
    if (cancels.length > 0) dispatch({ _tag: "ReadingStopped" })
  }

  /** Stops the run of a file, and waits for its lines in flight; absent while none is under way. */
  let stopRun: (() => Promise<void>) | undefined

  /** Keeps the requests of a call that a run makes. */
  const logging = <A, E>(request: Request, call: Effect.Effect<A, E>) =>
    Effect.updateService(call, CallObserver, (own) => ({
      ...own,
      onAttempt: (attempt, ...facts) => {
        recordAttempt(request, attempt)
        own?.onAttempt?.(attempt, ...facts)
      }
    }))

  const startRun = (file: string) => {
    const { apiKey, info, runtime } = session
    if (runFile === undefined || apiKey === undefined || stopRun !== undefined) return
    const place = { connection: info.name, service: info.kind === "demo" ? "demo" : info.baseUrl, apiKey }
    const changed: Array<FileRunChanges[number]> = []
    const logged = Effect.updateService(
      runFile(file, place, (report) => dispatch({ _tag: "RunReported", report, changed: changed.splice(0) })),
      Credentials,
      ({ upsert }) => ({
        upsert: (subscriberId, input) =>
          logging(upsertRequest(subscriberId, input, info), upsert(subscriberId, input)).pipe(
            Effect.tap(() => Effect.sync(() => changed.push([subscriberId, input.providerId])))
          )
      })
    )
    running += 1
    const fiber = runtime.runFork(logged)
    const ended = new Promise<void>((resolve) => {
      stopRun = () => {
        fiber.interruptUnsafe()
        return ended
      }
      // It may have ended already.
      fiber.addObserver((exit) => {
        running -= 1
        stopRun = undefined
        dispatch(runEnded(exit))
        resolve()
      })
    })
  }

  const enter = (next: Session) => {
    void recordings.stop("the connection has changed")
    const before = session
    session = next
    dispatch({ _tag: "Connected", connection: next.info, theme: next.theme })
    void Promise.resolve(stopRun?.()).then(() => before.runtime.dispose())
  }

  /**
   * Changes the session. Not a job of the session before, which would be interrupted with it: the header has to name
   * the connection that the next command is carried out on.
   */
  const change = (name: string) => {
    const { end } = begin(`connecting to ${name}`)
    Effect.runCallback(Effect.result(connect(name)), {
      onExit: (exit) => {
        if (Exit.isFailure(exit)) dispatch(noticed(problemFrom(exit.cause, now())))
        else if (Result.isFailure(exit.value)) dispatch(failedNotice(exit.value.failure.message))
        else enter(exit.value.success)
        end()
      }
    })
  }

  /** Works once keys that have arrived are handled. */
  const nextTurn = (work: () => void): void => {
    running += 1
    setImmediate(() => {
      running -= 1
      work()
    })
  }

  const run = (command: Command): void => {
    switch (command._tag) {
      case "Copy":
        dispatch({ _tag: "Copied", text: command.text, what: command.what })
        return host.copy(command.text, command.what, (notice) => dispatch({ _tag: "Noticed", notice }))
      case "SaveFile":
        return dispatch({ _tag: "Noticed", notice: host.save(command.name, command.text, command.what) })
      case "Ring":
        return host.ring(command.text)
      case "KeepCauses": {
        const problem = host.keepCauses(command.connection, command.change)
        return problem === undefined
          ? undefined
          : dispatch({ _tag: "Noticed", notice: { text: `not kept: ${problem}`, tone: "failed" } })
      }
      case "KeepPrompts":
        return host.keepPrompts(command.typed)
      case "OpenUrl":
        return host.open(command.url, (notice) => dispatch({ _tag: "Noticed", notice }))
      case "OpenPager":
        return host.page(command.text, (notice) => dispatch({ _tag: "Noticed", notice }))
      case "Connect":
        return change(command.name)
      case "StartRecording":
        return void recordings.start(session, command)
      case "StopRecording":
        return void recordings.stop()
      case "RunFile":
        return startRun(command.file)
      case "PauseRun":
        return void stopRun?.()
      case "StopReading":
        return stopReading()
      case "MaskMore":
        return nextTurn(() => dispatch({ _tag: "MaskMore" }))
      case "Suspend":
        return host.suspend()
      case "Redraw":
        return host.redraw()
      case "Quit":
        return host.quit()
      default: {
        const job = jobOf(command)
        if (job === undefined) return
        // The demo responds at once: the first frame and keys come before its older pages.
        if (command._tag === "LoadEvents" && command.mode === "more") nextTurn(() => start(job, command))
        else start(job, command)
      }
    }
  }

  return {
    run,
    running: () => running,
    close: async () => {
      await stopRun?.()
      await recordings.stop()
      await session.runtime.dispose()
    }
  }
}
