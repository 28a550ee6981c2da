/**
 * Shared by all commands that work with runs: where the runs are, progress, the record of the run, notes and the exit code.
 */
import {
  embedded,
  MaxRate,
  type NewRunOptions,
  type RunError,
  type RunRecords,
  type RunServices,
  type RunStatus,
  type RunStore
} from "@signalbox/bulk"
import { hasEnded } from "@signalbox/bulk/internal/RunStatus"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { chooseConnection, type Connection, onConnection } from "../../connection/Connection.ts"
import { type Unsuccessful, UsageError } from "../../failure/CommandError.ts"
import { openOutput } from "../../output/Output.ts"
import type { OutputOptions } from "../../output/OutputFlags.ts"
import type { Process } from "../../process/Process.ts"
import type { DatabaseOption, WorkInput } from "./BulkFlags.ts"
import { showProgress } from "./ProgressLine.ts"
import { requireSuccess, runFailure } from "./RunFailure.ts"
import { runListing } from "./RunListing.ts"

const databaseRuns = (name: string, isReadOnly: boolean) =>
  Effect.flatMap(
    Effect.promise(() => import("./OpenDatabase.ts")),
    ({ openDatabase }) => openDatabase(name, isReadOnly)
  )

/** The records of runs on this machine, or of a database until the scope closes. */
export const openRecords = (
  { database }: DatabaseOption,
  access: "read" | "change"
): Effect.Effect<RunRecords, UsageError | Unsuccessful, Process | Scope.Scope> =>
  Option.isNone(database) ? Effect.succeed(embedded) : databaseRuns(database.value, access === "read")

/** The flag that leads to the same runs. */
export const databaseFlag = ({ database }: DatabaseOption): string =>
  Option.isNone(database) ? "" : ` --database ${database.value}`

/** Where the calls of a new run go; a run is resumed only against the same service. */
export const placeOf = ({ baseUrl, kind, name, settings }: Connection) =>
  Effect.map(settings, ({ apiKey }): NewRunOptions => ({ service: baseUrl ?? kind, connection: name, apiKey }))

/** The work of a command on the runs of one place, and where its calls go. */
export type Work = <Services>(
  runs: RunStore<Services>,
  place: NewRunOptions
) => Effect.Effect<RunStatus, RunError, Services>

const notStarted = "Interrupted before a run was started; nothing was sent"

const interruptNote = (file: string) =>
  Effect.match(embedded.status(file), {
    onFailure: () => notStarted,
    onSuccess: ({ state }) =>
      hasEnded(state)
        ? notStarted
        : `Interrupted. The lines in flight are done; continue with: signalbox bulk resume ${file}`
  })

/** Works on a run over a connection, prints its record, and fails where a line did not succeed. */
export const workOver = Effect.fnUntraced(function* (
  connection: Connection,
  options: OutputOptions & Pick<WorkInput, "maxRate">,
  file: string,
  work: Effect.Effect<RunStatus, RunError, RunServices>
) {
  const output = yield* openOutput(runListing, options)
  const status = yield* showProgress(work, options.quiet).pipe(
    Effect.provideService(MaxRate, Option.getOrUndefined(options.maxRate)),
    Effect.mapError(runFailure),
    onConnection(connection),
    Effect.onInterrupt(() => Effect.flatMap(interruptNote(file), output.note))
  )
  yield* output.rows([status])
  yield* requireSuccess(status, status.file)
})

/** Refuses flags that workers decide for themselves. */
export const requireNoLimits = ({ concurrency, maxRate }: WorkInput): Effect.Effect<void, UsageError> => {
  const flag = Option.isSome(maxRate) ? "--max-rate" : Option.isSome(concurrency) ? "--concurrency" : undefined
  if (flag === undefined) return Effect.void
  return Effect.fail(
    new UsageError({ message: `${flag} and --database exclude each other; its workers share the limit of the service` })
  )
}

/** Lets the workers of a database work on a run, and prints its record. */
const handOver = Effect.fnUntraced(function* (input: WorkInput, name: string, work: Work) {
  const output = yield* openOutput(runListing, input)
  const runs = yield* databaseRuns(name, false)
  const flag = databaseFlag(input)
  const status = yield* work(runs, {}).pipe(
    Effect.mapError(runFailure),
    Effect.onInterrupt(() =>
      output.note(`Interrupted. Submit the rest with the same command, or: signalbox bulk resume .${flag}`)
    )
  )
  yield* output.rows([status])
  if (status.state !== "finished" && status.state !== "paused") {
    return yield* output.note(`Workers do the rest. Follow it with: signalbox bulk status ${status.id}${flag} --wait`)
  }
  yield* requireSuccess(status, `${status.id}${flag}`)
}, Effect.scoped)

/** Works on a run: here, over the connection of the command, or with the workers of a database. */
export const workOn = Effect.fnUntraced(function* (
  input: WorkInput,
  file: string,
  confirm: (connection: Connection) => Effect.Effect<void, UsageError | Unsuccessful, Process>,
  work: Work
) {
  if (Option.isSome(input.database)) return yield* handOver(input, input.database.value, work)
  const connection = yield* chooseConnection(input)
  yield* confirm(connection)
  yield* workOver(connection, input, file, work(embedded, yield* placeOf(connection)))
})
