import * as Bulk from "@signalbox/bulk"
import { counted } from "@signalbox/operator/text/Counted"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { chooseConnection, confirmAction, requireWritable } from "../../connection/Connection.ts"
import type { ConnectionOptions } from "../../connection/ConnectionFlags.ts"
import { Unsuccessful, UsageError } from "../../failure/CommandError.ts"
import { exitCodes } from "../../failure/ExitCode.ts"
import { openOutput } from "../../output/Output.ts"
import type { OutputOptions } from "../../output/OutputFlags.ts"
import type { MaxRateOptions } from "./MaxRateFlag.ts"
import { serviceOf, workOn } from "./RunCommand.ts"
import { runFailure } from "./RunFailure.ts"
import { reportListing, runListing } from "./RunListing.ts"

/** The input of commands that name a run. */
export interface RunInput extends OutputOptions {
  readonly run: string
}

/** The input of `bulk report`. */
export interface ReportInput extends RunInput {
  readonly failedInput: Option.Option<string>
}

/** The input of commands that continue a run. */
export interface ResumeInput extends RunInput, ConnectionOptions, MaxRateOptions {
  readonly concurrency: Option.Option<number>
}

/** Shows the status of a run. */
export const status = Effect.fnUntraced(function* (input: RunInput & { readonly wait: boolean }) {
  if (input.wait) return yield* new UsageError({ message: "--wait is for runs on a cluster; add --cluster" })
  const output = yield* openOutput(runListing, input)
  yield* output.rows([yield* Effect.mapError(Bulk.status(input.run), runFailure)])
})

const connectionFor = Effect.fnUntraced(function* (input: ResumeInput) {
  const connection = yield* chooseConnection(input)
  const { kind } = yield* Effect.mapError(Bulk.status(input.run), runFailure)
  if (kind !== "export") yield* requireWritable(connection)
  return connection
})

/** Continues a run. */
export const resume = Effect.fnUntraced(function* (input: ResumeInput) {
  const connection = yield* connectionFor(input)
  const { run } = input
  const concurrency = Option.getOrUndefined(input.concurrency)
  yield* workOn(connection, input, run, Bulk.resume(run, { concurrency, service: serviceOf(connection) }))
})

/** Sends failed lines again. */
export const retryFailed = Effect.fnUntraced(function* (input: ResumeInput & { readonly atLeastOnce: boolean }) {
  const connection = yield* connectionFor(input)
  const { run } = input
  const concurrency = Option.getOrUndefined(input.concurrency)
  const service = serviceOf(connection)
  const atLeastOnce = input.atLeastOnce ? true : undefined
  yield* workOn(connection, input, run, Bulk.retryFailed(run, { concurrency, service, atLeastOnce }))
})

/** Ends a run. */
export const cancel = Effect.fnUntraced(function* (input: RunInput) {
  const output = yield* openOutput(runListing, input)
  yield* output.rows([yield* Effect.mapError(Bulk.cancel(input.run), runFailure)])
})

/** Lists the runs of the user. */
export const list = Effect.fnUntraced(function* (input: OutputOptions) {
  const output = yield* openOutput(runListing, input)
  const { errors, runs } = yield* Bulk.list
  yield* output.rows(runs)
  if (errors.length === 0) return
  const message = errors.map((error) => error.message).join("; ")
  return yield* new Unsuccessful({ exitCode: exitCodes.partial, message })
})

/** Deletes the journal of a run. */
export const deleteRun = Effect.fnUntraced(function* (input: RunInput & { readonly yes: boolean }) {
  const output = yield* openOutput(runListing, input)
  const { journal } = yield* Effect.mapError(Bulk.status(input.run), runFailure)
  yield* confirmAction(`delete ${journal}`, input.yes)
  yield* output.rows([yield* Effect.mapError(Bulk.remove(input.run), runFailure)])
})

/** Lines that are printed at once. */
const batchSize = 500

/** Prints the outcome of every line. */
export const report = Effect.fnUntraced(function* (input: ReportInput) {
  const output = yield* openOutput(reportListing, input)
  if (Option.isSome(input.failedInput)) {
    const file = input.failedInput.value
    const lines = yield* Effect.mapError(Bulk.failedInput(input.run, file), runFailure)
    return yield* output.note(`Wrote ${counted(lines, "line")} to ${file}. Correct them, and import that file`)
  }
  yield* Bulk.report(input.run).pipe(
    Stream.mapError(runFailure),
    Stream.grouped(batchSize),
    Stream.runForEach((lines) => output.rows(lines))
  )
})
