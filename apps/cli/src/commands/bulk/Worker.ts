import { ChunkWorker, makeInputKeys, type WorkerProgress, workerLayer } from "@signalbox/bulk/cluster"
import { counted } from "@signalbox/operator/text/Counted"
import { outlet } from "@signalbox/operator/outlet/Outlet"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import { chooseDatabase } from "../../connection/Database.ts"
import { chooseConnection, onConnection, requireWritable } from "../../connection/Connection.ts"
import { usage } from "../../failure/CommandError.ts"
import { Process } from "../../process/Process.ts"
import type { WorkerInput } from "./BulkFlags.ts"
import { runFailure } from "./RunFailure.ts"

const lineOf = ({ chunks, counts, problem }: WorkerProgress): string => {
  const { failed, invalid, succeeded, unknown } = counts
  const lines = `${succeeded} succeeded, ${failed} failed, ${unknown} unknown, ${invalid} invalid`
  return `${counted(chunks, "chunk")} done: ${lines}${problem === undefined ? "" : `; ${problem}`}`
}

/** Does chunks of the runs of a database until a signal; the first one lets the lines in flight finish. */
export const worker = Effect.fnUntraced(function* (input: WorkerInput) {
  const process = yield* Process
  const connection = yield* chooseConnection(input)
  yield* requireWritable(connection)
  const { baseUrl } = connection
  if (baseUrl === undefined) {
    return yield* usage("a worker needs a live connection; the demo has none that machines share")
  }
  const database = yield* chooseDatabase(input.database)
  const databaseUrl = Redacted.make(yield* database.url)
  const inputKey = Option.getOrUndefined(
    Option.map(Option.fromUndefinedOr(yield* database.inputKey), (key) => Redacted.make(key))
  )
  const { apiKey } = yield* connection.settings
  const context = yield* Effect.context<never>()
  const note = (line: string) => (input.quiet ? Effect.void : process.report(`${line}\n`))
  const draining = yield* Latch.make()
  let signals = 0
  yield* process.listenToSignals(() => {
    if (++signals > 1) globalThis.process.exit(130)
    Effect.runForkWith(context)(
      Effect.andThen(
        note("Finishing the lines in flight; a second signal does not wait for them."),
        Latch.open(draining)
      )
    )
  })
  const work = Effect.gen(function* () {
    const { drain, failed, progress } = yield* ChunkWorker
    yield* note(`A worker of database "${database.name}" sends to ${baseUrl}. Stop it with ctrl-c.`)
    let shown = ""
    const show = Effect.suspend(() => {
      const line = lineOf(progress())
      if (line === shown) return Effect.void
      shown = line
      return note(line)
    })
    yield* Effect.raceAllFirst([draining.await, Effect.forever(Effect.delay(show, "10 seconds")), failed])
    yield* drain
  })
  yield* work.pipe(
    Effect.provide(workerLayer(databaseUrl, { service: baseUrl, inputKey, apiKey })),
    // The command says in its own words what the worker logs.
    Effect.provideService(References.MinimumLogLevel, "None"),
    Effect.mapError(runFailure),
    onConnection(connection)
  )
  yield* note("Stopped; other workers do the rest.")
}, Effect.scoped)

/** Prints a new key pair for staged inputs. */
export const inputKey = Effect.gen(function* () {
  const { inputKey, publicKey } = makeInputKeys()
  const process = yield* Process
  yield* process.write(outlet("keys").json({ inputKey: Redacted.value(inputKey), publicKey }))
})
