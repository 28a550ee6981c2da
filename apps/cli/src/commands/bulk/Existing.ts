import { embedded } from "@signalbox/bulk"
import { makeEstimate } from "@signalbox/bulk/internal/run/Progress"
import { counted } from "@signalbox/operator/text/Counted"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { confirmAction, connectionNames, requireWritable } from "../../connection/Connection.ts"
import { Unsuccessful, usage } from "../../failure/CommandError.ts"
import { exitCodes } from "../../failure/ExitCode.ts"
import { openOutput } from "../../output/Output.ts"
import { Process } from "../../process/Process.ts"
import type {
  DeleteInput,
  ListInput,
  ReportInput,
  ResumeInput,
  RetryInput,
  RunInput,
  StatusInput
} from "./BulkFlags.ts"
import { makeProgressPrinter } from "./ProgressLine.ts"
import { databaseFlag, openRecords, requireNoLimits, type Work, workOn } from "./RunCommand.ts"
import { requireSuccess, runFailure } from "./RunFailure.ts"
import { reportListing, runListing } from "./RunListing.ts"

/** Shows the status of a run; with `--wait`, its progress until it has ended. */
export const status = Effect.fnUntraced(function* (input: StatusInput) {
  const { run, wait } = input
  if (wait && Option.isNone(input.database)) {
    return yield* usage("--wait is for runs of a database; add --database")
  }
  const output = yield* openOutput(runListing, input)
  const records = yield* openRecords(input, "read")
  const read = Effect.mapError(records.status(run), runFailure)
  if (!wait) return yield* output.rows([yield* read])
  const printer = yield* makeProgressPrinter(input.quiet)
  const estimate = makeEstimate()
  const { id } = yield* read
  const watched = Effect.gen(function* () {
    const known = yield* Effect.mapError(records.status(id), runFailure)
    const { counts, total } = known
    const estimated = estimate({ counts, total }, yield* Clock.currentTimeMillis)
    printer?.show({ counts, total, ...estimated, waiting: undefined })
    return known
  })
  const ended = yield* watched.pipe(
    Effect.repeat({
      schedule: Schedule.spaced("1 second"),
      until: ({ state }) => state === "finished" || state === "cancelled" || state === "paused"
    }),
    Effect.ensuring(printer?.clear ?? Effect.void)
  )
  yield* output.rows([ended])
  yield* requireSuccess(ended, `${id}${databaseFlag(input)}`)
}, Effect.scoped)

/** Works on a run, over its own connection unless another one is named; only exports over a read-only one. */
const continueRun = Effect.fnUntraced(function* (input: ResumeInput, work: Work) {
  if (Option.isSome(input.database)) {
    yield* requireNoLimits(input)
    return yield* workOn(input, input.run, () => Effect.void, work)
  }
  const { connection: own, kind } = yield* Effect.mapError(embedded.status(input.run), runFailure)
  const { environment } = yield* Process
  // A run over the connection of the environment has the name of its host.
  const isNamed = own === "demo" || (own !== undefined && (yield* connectionNames(environment)).includes(own))
  const connection = Option.orElse(input.connection, () => (isNamed ? Option.some(own) : Option.none()))
  yield* workOn({ ...input, connection }, input.run, kind === "export" ? () => Effect.void : requireWritable, work)
})

/** Continues a run. */
export const resume = (input: ResumeInput) =>
  continueRun(input, (runs, place) =>
    runs.resume(input.run, { concurrency: Option.getOrUndefined(input.concurrency), ...place })
  )

/** Sends failed lines again. */
export const retryFailed = (input: RetryInput) =>
  continueRun(input, (runs, place) =>
    runs.retryFailed(input.run, {
      concurrency: Option.getOrUndefined(input.concurrency),
      ...place,
      atLeastOnce: input.atLeastOnce ? true : undefined
    })
  )

const halt = (how: "pause" | "cancel") =>
  Effect.fnUntraced(function* (input: RunInput) {
    const output = yield* openOutput(runListing, input)
    const records = yield* openRecords(input, "change")
    yield* output.rows([yield* Effect.mapError(records[how](input.run), runFailure)])
  }, Effect.scoped)

/** Halts a run until it is resumed. */
export const pause = halt("pause")

/** Ends a run. */
export const cancel = halt("cancel")

/** Lists the runs of the user, or of a database. */
export const list = Effect.fnUntraced(function* (input: ListInput) {
  const output = yield* openOutput(runListing, input)
  const records = yield* openRecords(input, "read")
  const { errors, runs } = yield* records.list
  yield* output.rows(runs)
  if (errors.length === 0) return
  const message = errors.map((error) => error.message).join("; ")
  return yield* new Unsuccessful({ exitCode: exitCodes.partial, message })
}, Effect.scoped)

/** Deletes the record of a run. */
export const deleteRun = Effect.fnUntraced(function* (input: DeleteInput) {
  const output = yield* openOutput(runListing, input)
  const records = yield* openRecords(input, "change")
  const { journal } = yield* Effect.mapError(records.status(input.run), runFailure)
  yield* confirmAction(`delete ${journal}`, input.yes)
  yield* output.rows([yield* Effect.mapError(records.remove(journal), runFailure)])
}, Effect.scoped)

/** Lines that are printed at once. */
const batchSize = 500

/** Prints the outcome of every line, or of those with some outcomes. */
export const report = Effect.fnUntraced(function* (input: ReportInput) {
  const { outcome: wanted } = input
  if (wanted.length > 0 && Option.isSome(input.failedInput)) {
    return yield* usage("--outcome and --failed-input exclude each other")
  }
  const output = yield* openOutput(reportListing, input)
  const records = yield* openRecords(input, "read")
  if (Option.isSome(input.failedInput)) {
    const file = input.failedInput.value
    const { counts, state, total } = yield* Effect.mapError(records.status(input.run), runFailure)
    const { failed, invalid, succeeded, unknown } = counts
    const left = state === "cancelled" ? (total ?? 0) - succeeded - unknown : failed + invalid
    const rest = unknown === 0 ? "" : `. Left out: ${counted(unknown, "unknown line")}, which may have been applied`
    if (left === 0) return yield* output.note(`No line failed or is invalid; nothing was written${rest}`)
    const lines = yield* Effect.mapError(records.failedInput(input.run, file), runFailure)
    return yield* output.note(`Wrote ${counted(lines, "line")} to ${file}. Correct them, and import that file${rest}`)
  }
  yield* records.report(input.run).pipe(
    Stream.mapError(runFailure),
    Stream.filter(({ outcome }) => wanted.length === 0 || wanted.includes(outcome)),
    Stream.grouped(batchSize),
    Stream.runForEach((lines) => output.rows(lines))
  )
}, Effect.scoped)
