/**
 * Shared by all commands that work on a run: progress, the record of the run, notes and the exit code.
 */
import { MaxRate, type RunError, type RunStatus } from "@signalbox/bulk"
import type { Client } from "@signalbox/core/Client"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Connection, onConnection } from "../../connection/Connection.ts"
import { openOutput } from "../../output/Output.ts"
import type { OutputOptions } from "../../output/OutputFlags.ts"
import type { MaxRateOptions } from "./MaxRateFlag.ts"
import { showProgress } from "./ProgressLine.ts"
import { requireSuccess, runFailure } from "./RunFailure.ts"
import { runListing } from "./RunListing.ts"

/** The name of the service that a connection leads to; a run is resumed only against the same. */
export const serviceOf = ({ baseUrl, kind }: Connection): string => baseUrl ?? kind

/** Where the calls of a new run go. */
export const placeOf = (connection: Connection) => ({ service: serviceOf(connection), connection: connection.name })

/** Works on a run over a connection, prints its record, and fails where a line did not succeed. */
export const workOn = Effect.fnUntraced(function* (
  connection: Connection,
  options: OutputOptions & MaxRateOptions,
  file: string,
  work: Effect.Effect<RunStatus, RunError, Client>
) {
  const output = yield* openOutput(runListing, options)
  const status = yield* showProgress(work, options.quiet).pipe(
    Effect.provideService(MaxRate, Option.getOrUndefined(options.maxRate)),
    Effect.mapError(runFailure),
    onConnection(connection),
    Effect.onInterrupt(() =>
      output.note(`Interrupted. The lines in flight are done; continue with: signalbox bulk resume ${file}`)
    )
  )
  yield* output.rows([status])
  yield* requireSuccess(status, status.file)
})
