import type { FileRunner } from "@signalbox/tui"
import { shellWord } from "@signalbox/operator/report/Curl"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"

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
