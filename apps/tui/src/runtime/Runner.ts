import { CallObserver } from "@signalbox/core/CallInfo"
import type { Attempt } from "@signalbox/core/Errors"
import { IdempotencyPolicy, off } from "@signalbox/core/IdempotencyPolicy"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import type { Command } from "../state/Command.ts"
import type { Request } from "../state/Requests.ts"
import type { FileRunner } from "./FileRunner.ts"
import { makeFileRuns } from "./FileRuns.ts"
import { failedNotice, type Job, type JobContext, noticed } from "./jobs/Job.ts"
import { type JobCommand, jobOf } from "./jobs/Jobs.ts"
import { outcomeName, problemFrom } from "./Problems.ts"
import { makeRecordings } from "./Recordings.ts"
import { requestOf } from "./RequestOf.ts"
import type { Session } from "./Session.ts"

/** Carries commands out on the services of the current session, and reports with messages. */
export interface Runner {
  readonly run: (command: Command) => void
  /** How many jobs are on their way. */
  readonly running: () => number
  readonly close: () => Promise<void>
}

/** The surroundings of a runner: the receiver of messages, the terminal, and the connections. */
export interface RunnerOptions extends JobContext {
  readonly connect: (name: string) => Effect.Effect<Session, { readonly message: string }>
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

  const recordAttempt = (request: Request | undefined, attempt: Attempt) => {
    if (request !== undefined) dispatch({ _tag: "RequestMade", request: { ...request, ...attempt } })
  }
  const recordings = makeRecordings({ dispatch, host, isMasked, now })
  const files = makeFileRuns({ dispatch, recordAttempt, runFile })

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

  /** Functions that end the reads in flight. */
  const reads = new Map<number, () => void>()

  const start = ({ effect, label, request: requestNow, writes }: Job, command: JobCommand) => {
    let isDone = false
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
    const observed = Effect.provideService(made, CallObserver, observer)
    // Reads need no keys, and the first one would load the cryptography of the platform before the first frame.
    const job = writes === true ? observed : Effect.provideService(observed, IdempotencyPolicy, off)
    const cancel = session.runtime.runCallback(job, {
      onExit: (exit) => {
        if (Exit.isSuccess(exit)) dispatch(exit.value)
        // Closing a session interrupts its jobs; every other end of a job must be reported.
        else if (!Cause.hasInterruptsOnly(exit.cause)) dispatch(noticed(problemFrom(exit.cause, now())))
        isDone = true
        reads.delete(id)
        end()
      }
    })
    if (writes !== true && !isDone) reads.set(id, cancel)
  }

  /** Ends every read; a write that is on its way is never interrupted. */
  const stopReading = () => {
    const cancels = Array.from(reads.values())
    reads.clear()
    for (const cancel of cancels) cancel()
    if (cancels.length > 0) dispatch({ _tag: "ReadingStopped" })
  }

  const enter = (next: Session) => {
    void recordings.stop("the connection has changed")
    const before = session
    session = next
    dispatch({ _tag: "Connected", connection: next.info, theme: next.theme })
    void files.stop().then(() => before.runtime.dispose())
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
        return files.start(session, command.file)
      case "PauseRun":
        return void files.stop()
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
        const job = jobOf(command, { session, dispatch, host, now, isMasked })
        if (job?.yieldsToKeys) nextTurn(() => start(job, command))
        else if (job) start(job, command)
      }
    }
  }

  return {
    run,
    running: () => running + (files.isRunning() ? 1 : 0),
    close: async () => {
      await files.stop()
      await recordings.stop()
      await session.runtime.dispose()
    }
  }
}
