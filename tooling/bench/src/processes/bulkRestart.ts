// Imports a file, or continues its run, and reports when it has its first new outcome, once many are recorded. The caller
// kills this process then.
import { ProgressObserver, resume, startImport } from "@signalbox/bulk"
import * as Effect from "effect/Effect"
import { dirname } from "node:path"
import type { Restart } from "../suites/Bulk.ts"
import { clientOver } from "../UpsertWork.ts"

const [input = "", baseUrl = ""] = process.argv.slice(2)
// The index of the user is not for runs of a benchmark.
process.env["XDG_STATE_HOME"] = dirname(input)
/** Enough that most of them are recorded when this process is killed. */
const enough = 500
let recovered: number | undefined
let afterMs: number | undefined

await Effect.runPromise(
  startImport({ input }).pipe(
    Effect.catchTag("RunUnfinished", () => resume(input)),
    Effect.provideService(ProgressObserver, ({ counts: { succeeded } }) => {
      recovered ??= succeeded
      if (succeeded > recovered) afterMs ??= performance.now()
      if (afterMs !== undefined && succeeded >= enough) process.send?.({ recovered, afterMs } satisfies Restart)
    }),
    Effect.provide(clientOver(baseUrl))
  )
)
