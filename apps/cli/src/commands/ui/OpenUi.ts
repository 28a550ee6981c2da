import { type FileRunner, launch, type LaunchOptions, resetSequence, systemClock } from "@signalbox/tui"
import { shellWord } from "@signalbox/operator/report/Curl"
import { outlet } from "@signalbox/operator/outlet/Outlet"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { Unsuccessful, usage } from "../../failure/CommandError.ts"
import { Process } from "../../process/Process.ts"

/** Restores a terminal. */
export const resetTerminal = Effect.flatMap(Process, ({ write }) => write(outlet("own").text(resetSequence)))

/** Lines that the UI lists at most; `bulk report` prints all of them. */
const listedLines = 200

/** Imports a file with the engine of `signalbox bulk`, which is loaded when a file is run. */
export const runFile: FileRunner = (file, { isDemo, ...place }, onReport) =>
  Effect.gen(function* () {
    const { embedded, ProgressObserver, RunFinished } = yield* Effect.promise(() => import("@signalbox/bulk"))
    const { waitingFor } = yield* Effect.promise(() => import("../bulk/ProgressLine.ts"))
    const lines = embedded.report(file).pipe(
      Stream.filterMap(({ line, message, outcome, reason = "" }) =>
        outcome === "succeeded" || outcome === "not-tried"
          ? Result.failVoid
          : Result.succeed({ line, outcome, message: message ?? reason })
      ),
      Stream.take(listedLines),
      Stream.runCollect
    )
    // A new demo has forgotten what an earlier one received: a run of that ends, and its lines are sent again.
    const start = embedded.start("import", { input: file, again: isDemo, ...place })
    return yield* start.pipe(
      Effect.catchTag("RunUnfinished", (error) =>
        error.isSameWork
          ? embedded
              .resume(error.journal, place)
              .pipe(
                Effect.catchTag("RunStateError", (elsewhere) =>
                  isDemo ? Effect.andThen(embedded.cancel(error.journal), start) : Effect.fail(elsewhere)
                )
              )
          : Effect.fail(error)
      ),
      Effect.catchTag("RunFinished", (error) => {
        const command = `signalbox bulk import ${shellWord(file)} -c ${shellWord(place.connection)} --again`
        const advice = `to send it ${error.isSamePlace ? "again" : "there too"}: ${command}`
        return new RunFinished({ ...error, message: `${error.message}; ${advice}` })
      }),
      Effect.tapError((error) =>
        Effect.sync(() => {
          if (error._tag !== "InvalidInput") return
          onReport({
            lines: error.issues.map(({ line, path, rule }) => ({
              line,
              outcome: "invalid",
              message: path === "" ? rule : `${path}: ${rule}`
            }))
          })
        })
      ),
      Effect.provideService(ProgressObserver, ({ waiting, ...progress }) =>
        onReport({
          progress: {
            ...progress,
            waiting: waiting === undefined ? undefined : { ...waiting, reason: waitingFor(waiting.reason) }
          }
        })
      ),
      // Without a run there is no report, and the start fails with the reason.
      Effect.ensuring(Effect.ignore(Effect.map(lines, (failed) => onReport({ lines: failed }))))
    )
  })

/** Opens the terminal UI and waits until it is quit. */
export const openUi = Effect.fnUntraced(function* (options: LaunchOptions) {
  if (options.connection !== undefined && options.replay !== undefined) {
    return yield* usage("--replay and --connection cannot be used together")
  }
  const { environment, stdinIsTerminal, stdoutIsTerminal } = yield* Process
  if (!stdinIsTerminal || !stdoutIsTerminal || environment["TERM"] === "dumb") {
    return yield* usage("ui needs a terminal; use signalbox events list elsewhere")
  }
  const exitCode = yield* Effect.promise(() => launch(options, { environment, clock: systemClock, runFile }))
  if (exitCode !== 0) return yield* new Unsuccessful({ exitCode })
})
