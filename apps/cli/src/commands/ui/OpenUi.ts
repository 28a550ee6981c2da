import { type FileRunner, launch, type LaunchOptions, resetSequence, systemClock } from "@signalbox/tui"
import { outlet } from "@signalbox/operator/outlet/Outlet"
import * as Effect from "effect/Effect"
import { Unsuccessful, UsageError } from "../../failure/CommandError.ts"
import { Process } from "../../process/Process.ts"

/** Restores a terminal. */
export const resetTerminal = Effect.flatMap(Process, ({ write }) => write(outlet("own").text(resetSequence)))

/** Imports a file with the engine of `signalbox bulk`, which is loaded when a file is run. */
const runFile: FileRunner = (file, place, onProgress) =>
  Effect.gen(function* () {
    const { embedded, ProgressObserver, RunFinished } = yield* Effect.promise(() => import("@signalbox/bulk"))
    const { waitingFor } = yield* Effect.promise(() => import("../bulk/ProgressLine.ts"))
    return yield* embedded.start("import", { input: file, ...place }).pipe(
      Effect.catchTag("RunUnfinished", (error) =>
        error.isSameWork ? embedded.resume(error.journal, place) : Effect.fail(error)
      ),
      Effect.catchTag("RunFinished", (error) => {
        const advice = `to send it there too: signalbox bulk import ${file} -c ${place.connection} --again`
        return error.isSameService
          ? embedded.status(error.journal)
          : new RunFinished({ ...error, message: `${error.message}; ${advice}` })
      }),
      Effect.provideService(ProgressObserver, ({ waiting, ...progress }) =>
        onProgress({
          ...progress,
          waiting: waiting === undefined ? undefined : { ...waiting, reason: waitingFor(waiting.reason) }
        })
      )
    )
  })

/** Opens the terminal UI and waits until it is quit. */
export const openUi = Effect.fnUntraced(function* (options: LaunchOptions) {
  if (options.connection !== undefined && options.replay !== undefined) {
    return yield* new UsageError({ message: "--replay and --connection cannot be used together" })
  }
  const { environment, stdinIsTerminal, stdoutIsTerminal } = yield* Process
  if (!stdinIsTerminal || !stdoutIsTerminal || environment["TERM"] === "dumb") {
    return yield* new UsageError({ message: "ui needs a terminal; use signalbox events list elsewhere" })
  }
  const exitCode = yield* Effect.promise(() => launch(options, { environment, clock: systemClock, runFile }))
  if (exitCode !== 0) return yield* new Unsuccessful({ exitCode })
})
