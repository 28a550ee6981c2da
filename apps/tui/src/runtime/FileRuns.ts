import type { Attempt } from "@signalbox/core/Errors"
import { CallObserver } from "@signalbox/core/CallInfo"
import { Credentials } from "@signalbox/core/Credentials"
import { messageOf } from "@signalbox/operator/text/SystemReason"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { credentialsKey } from "@signalbox/operator/diagnosis/FixReach"
import type { FileRunChanges, FileRunLines } from "../state/FileRun.ts"
import type { Msg } from "../state/Msg.ts"
import type { Request } from "../state/Requests.ts"
import type { FileRunner } from "./FileRunner.ts"
import { upsertRequest } from "./RequestOf.ts"
import type { Session } from "./Session.ts"

/** Starts and stops runs of files, one at a time. */
export interface FileRuns {
  readonly start: (session: Session, file: string) => void
  /** Stops the run that is under way, and waits for its lines in flight. */
  readonly stop: () => Promise<void>
  readonly isRunning: () => boolean
}

interface FileRunsOptions {
  readonly dispatch: (message: Msg) => void
  readonly recordAttempt: (request: Request, attempt: Attempt) => void
  readonly runFile: FileRunner | undefined
}

const endOf = (exit: Exit.Exit<FileRunLines, unknown>): Msg => {
  if (Exit.isSuccess(exit)) return { _tag: "RunEnded", outcome: "finished", ...exit.value }
  if (Cause.hasInterruptsOnly(exit.cause)) return { _tag: "RunEnded", outcome: "paused" }
  return { _tag: "RunEnded", outcome: "failed", problem: messageOf(Cause.squash(exit.cause)) }
}

/** Makes what runs files. The requests of a run are in the request log, as those of a screen are. */
export const makeFileRuns = ({ dispatch, recordAttempt, runFile }: FileRunsOptions): FileRuns => {
  let stop: (() => Promise<void>) | undefined

  const logging = <A, E>(request: Request, call: Effect.Effect<A, E>) =>
    Effect.updateService(call, CallObserver, (own) => ({
      ...own,
      onAttempt: (attempt, ...facts) => {
        recordAttempt(request, attempt)
        own?.onAttempt?.(attempt, ...facts)
      }
    }))

  const start = ({ apiKey, info, runtime, service }: Session, file: string): void => {
    if (runFile === undefined || apiKey === undefined || stop !== undefined) return
    const place = { connection: info.name, service: service ?? info.baseUrl, isDemo: info.kind === "demo", apiKey }
    const changed: Array<FileRunChanges[number]> = []
    const logged = Effect.updateService(
      runFile(file, place, (report) => dispatch({ _tag: "RunReported", report, changed: changed.splice(0) })),
      Credentials,
      ({ upsert }) => ({
        upsert: (subscriberId, input) =>
          logging(upsertRequest(subscriberId, input, info), upsert(subscriberId, input)).pipe(
            Effect.tap(() => Effect.sync(() => changed.push([subscriberId, credentialsKey(input)])))
          )
      })
    )
    const fiber = runtime.runFork(logged)
    const ended = new Promise<void>((resolve) => {
      stop = () => {
        fiber.interruptUnsafe()
        return ended
      }
      // It may have ended already.
      fiber.addObserver((exit) => {
        stop = undefined
        dispatch(endOf(exit))
        resolve()
      })
    })
  }

  return { start, stop: () => stop?.() ?? Promise.resolve(), isRunning: () => stop !== undefined }
}
