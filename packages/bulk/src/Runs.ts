/**
 * Bulk runs on one machine that were started: each has a journal that survives a crash.
 */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { hostname } from "node:os"
import { dirname, resolve as resolvePath } from "node:path"
import { baseOf, hold, registerAgain, type RunFile, runFileOf } from "./EarlierRuns.ts"
import { copyFailed } from "./input/FailedInput.ts"
import { Disk, type Files, entryAt } from "./file/Disk.ts"
import { systemError } from "./file/SystemError.ts"
import { batchesOf, type InputFile, requireSame } from "./input/InputFile.ts"
import * as Journal from "./journal/Journal.ts"
import type { JournalRecord, LineRunHeader } from "./journal/JournalRecord.ts"
import { maxPass } from "./journal/LineStates.ts"
import { type Recovered, recover } from "./journal/Recovery.ts"
import * as RunIndex from "./journal/RunIndex.ts"
import * as RunFolder from "./journal/RunFolder.ts"
import * as RunLock from "./journal/RunLock.ts"
import { type ReportLine, reportLines } from "./Report.ts"
import { verifyEnvironment } from "./run/Environment.ts"
import { haltMarker, inputFileOf, remove as removeFile, type RunServices, statusOf, work } from "./run/Work.ts"
import { start } from "./NewRun.ts"
import { JournalError, type RunError, RunStateError } from "./RunError.ts"
import { checkedConcurrency, type ResumeOptions, type RetryOptions } from "./RunOptions.ts"
import { type Halt, hasEnded, refuseEnded, requireEnded, requireFinished, type RunStatus } from "./RunStatus.ts"
import type { RunStore } from "./RunStore.ts"

/** The file of a run. */
const fileOf = (journal: string, { header }: Recovered): Effect.Effect<RunFile> => {
  const folder = dirname(journal)
  return runFileOf(resolvePath(folder, header.kind === "export" ? header.output : header.input.path), folder)
}

const stateError = (id: string, message: string) => new RunStateError({ id, message })

/** The input of a run, if it is still the one that the run was started with. */
const sameInput = Effect.fnUntraced(function* (path: string, header: LineRunHeader, remedy: string) {
  const input = inputFileOf(path, header)
  yield* requireSame(input, header.input.sha256, header.id, remedy)
  return input
})

/** Opens a run again under its lock, and checks that service and input are the same. */
const takeUp = Effect.fnUntraced(function* (
  run: string,
  { service }: ResumeOptions
): Effect.fn.Return<readonly [path: string, recovered: Recovered, held: RunLock.Held], RunError, Scope.Scope> {
  const path = yield* RunFolder.findJournal(run)
  const file = yield* fileOf(path, yield* recover(path))
  const held = yield* hold(file)
  const recovered = yield* recover(path)
  const { header } = recovered
  yield* registerAgain(file, header, path)
  if (service !== undefined && header.service !== undefined && service !== header.service) {
    return yield* stateError(
      header.id,
      `run ${header.id} was started for ${header.service}, not for ${service}. Finish it, or cancel it first`
    )
  }
  if (header.kind !== "export") {
    const begin = hasEnded(recovered.end) ? "start" : "cancel the run and start"
    yield* sameInput(path, header, `Restore it, or ${begin} a new one`)
  }
  return [path, recovered, held]
})

/** Adds a record to the journal of a run that nothing works on. */
const note = Effect.fnUntraced(function* (
  path: string,
  recovered: Recovered,
  record: JournalRecord,
  held: RunLock.Held
) {
  const journal = yield* Journal.openForWriting(path, recovered, held)
  yield* journal.append(record)
  yield* journal.commit
}, Effect.scoped)

/**
 * Continues a run that was interrupted, stopped or paused. `run` is the path of its journal, of its input or output file, or of
 * the folder of its journal, or its id where that folder is the current one; of several runs the newest.
 *
 * **Details**: lines with an outcome are not sent again. Lines that were in flight when the process ended are sent with
 * the same idempotency key; where they append device tokens and the service is not known to honour keys, they become
 * `unknown` instead, unless the run is at least once.
 *
 * @example
 * ```ts
 * import { resume } from "@signalbox/bulk"
 *
 * const program = resume("tokens.csv", { concurrency: 32 })
 * ```
 */
export const resume = Effect.fnUntraced(function* (
  run: string,
  options: ResumeOptions = {}
): Effect.fn.Return<RunStatus, RunError, RunServices | Scope.Scope> {
  const concurrency = yield* checkedConcurrency(options.concurrency)
  const [path, recovered, held] = yield* takeUp(run, options)
  const { end, header } = recovered
  yield* refuseEnded(header.id, end, "; there is nothing to resume")
  const isEnvironmentVerified = yield* verifyEnvironment(recovered, options.apiKey)
  yield* note(path, recovered, { type: "resumed", connection: options.connection }, held)
  return yield* work(path, yield* recover(path), { concurrency, isEnvironmentVerified, held, apiKey: options.apiKey })
}, Effect.scoped)

/**
 * Does the failed lines of a finished run again, and the unknown ones where that does no harm. Invalid lines stay
 * invalid: correct them in a new file.
 *
 * @example
 * ```ts
 * import { retryFailed } from "@signalbox/bulk"
 *
 * const program = retryFailed("tokens.csv")
 * ```
 */
export const retryFailed = Effect.fnUntraced(function* (
  run: string,
  options: RetryOptions = {}
): Effect.fn.Return<RunStatus, RunError, RunServices | Scope.Scope> {
  const concurrency = yield* checkedConcurrency(options.concurrency)
  const [path, recovered, held] = yield* takeUp(run, options)
  const { end, header, pass } = recovered
  const { id } = header
  if (header.kind === "export") return yield* stateError(id, "an export has no lines that can fail")
  yield* requireFinished(id, end ?? "interrupted")
  if (pass >= maxPass) return yield* stateError(id, `run ${id} was retried ${maxPass - 1} times already`)
  const isEnvironmentVerified = yield* verifyEnvironment(recovered, options.apiKey)
  const atLeastOnce = options.atLeastOnce ?? recovered.atLeastOnce
  yield* note(path, recovered, { type: "pass", pass: pass + 1, atLeastOnce, connection: options.connection }, held)
  return yield* work(path, yield* recover(path), { concurrency, isEnvironmentVerified, held, apiKey: options.apiKey })
}, Effect.scoped)

/** Whether a process works on a run. */
const isWorkedOn = Effect.fnUntraced(function* (journal: string, recovered: Recovered) {
  return (yield* RunLock.holder(baseOf(yield* fileOf(journal, recovered)))) !== undefined
})

/** Reads the status of a run, also while another process works on it. */
export const status = Effect.fnUntraced(function* (run: string): Effect.fn.Return<RunStatus, RunError> {
  const path = yield* RunFolder.findJournal(run)
  const recovered = yield* recover(path)
  const isRunning = yield* isWorkedOn(path, recovered)
  return statusOf(path, recovered, recovered.end ?? (isRunning ? "running" : "interrupted"))
})

/** Halts a run whose process, if it has one, was asked to stop. */
const haltMarked = Effect.fnUntraced(function* (
  path: string,
  known: Recovered,
  halt: Halt
): Effect.fn.Return<RunStatus, RunError, Scope.Scope> {
  let signs = 0
  const held = yield* Effect.retry(RunLock.acquire(baseOf(yield* fileOf(path, known))), {
    schedule: Schedule.spaced("100 millis"),
    // A process on another machine has until its 20th sign of life to finish its lines in flight.
    while: (error) => error._tag === "RunLocked" && (error.host === hostname() || ++signs < 20)
  })
  const recovered = yield* recover(path)
  const { end } = recovered
  if (hasEnded(end)) return statusOf(path, recovered, end)
  if (end !== halt) yield* note(path, recovered, { type: halt }, held)
  return statusOf(path, recovered, halt)
})

const haltAs = (halt: Halt) =>
  Effect.fnUntraced(function* (run: string): Effect.fn.Return<RunStatus, RunError, Scope.Scope> {
    const path = yield* RunFolder.findJournal(run)
    const marker = haltMarker(path, halt)
    const known = yield* recover(path)
    yield* refuseEnded(known.header.id, known.end)
    const disk = yield* Disk
    if ((yield* entryAt(marker)) === undefined) {
      yield* Effect.tryPromise({
        try: () => disk.create(marker, ""),
        catch: (cause) =>
          new JournalError({ message: `cannot write ${marker}: ${systemError(cause).meaning}`, journal: path })
      })
    }
    // A marker that is left behind would halt the run when it is resumed.
    return yield* Effect.ensuring(haltMarked(path, known, halt), removeFile(marker))
  }, Effect.scoped)

/**
 * Ends a run for good. The process that works on it finishes its lines in flight first; this waits for it.
 */
export const cancel = haltAs("cancelled")

/**
 * Halts a run until {@link resume} continues it. The process that works on it finishes its lines in flight first; this
 * waits for it.
 *
 * @example
 * ```ts
 * import { pause } from "@signalbox/bulk"
 *
 * const program = pause("tokens.csv")
 * ```
 */
export const pause = haltAs("paused")

/**
 * The runs in the user's index whose journal exists, oldest first: the status of each, and the errors of journals that
 * cannot be read. Runs of other users and machines are not in it.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { list } from "@signalbox/bulk"
 *
 * const unfinished = Effect.map(list, ({ runs }) => runs.filter(({ state }) => state !== "finished"))
 * ```
 */
export const list: Effect.Effect<{
  readonly runs: ReadonlyArray<RunStatus>
  readonly errors: ReadonlyArray<RunError>
}> = Effect.gen(function* () {
  const missing = yield* Effect.match(RunIndex.createIndex, { onFailure: (error) => [error], onSuccess: () => [] })
  const indexed = RunFolder.byTime(yield* RunIndex.indexedRuns)
  const [runs, errors] = yield* Effect.partition(indexed, ({ journal }) => status(journal))
  return { runs, errors: [...missing, ...errors] }
})

/** Deletes the journal of a run that is finished or cancelled. Its lines can be sent again afterwards. */
export const remove = Effect.fnUntraced(function* (run: string): Effect.fn.Return<RunStatus, RunError> {
  const disk = yield* Disk
  const known = yield* status(run)
  const { id, journal, state } = known
  yield* requireEnded(id, state)
  yield* Effect.tryPromise({
    try: () => disk.remove(journal),
    catch: (cause) => new JournalError({ message: `cannot delete ${journal}: ${systemError(cause).meaning}`, journal })
  })
  yield* RunIndex.removeRun(id)
  return known
})

/** Numbers of the lines of the input. */
async function* lineNumbers(
  disk: Files,
  input: InputFile,
  { end, header, states }: Recovered
): AsyncGenerator<number, void> {
  if (header.kind === "export") return
  if (end === "finished") {
    for (let line = 1; line <= header.input.lastLine; line++) if (states.passOf(line) > 0) yield line
    return
  }
  for await (const batch of batchesOf(disk, input)) for (const { line } of batch) yield line
}

/**
 * The outcome of every line of a run, in the order of the lines. Needs the input file while the run is not finished.
 *
 * @example
 * ```ts
 * import * as Stream from "effect/Stream"
 * import { report } from "@signalbox/bulk"
 *
 * const failed = report("tokens.csv").pipe(
 *   Stream.filter(({ outcome }) => outcome === "failed"),
 *   Stream.map(({ line, reason }) => `${line}: ${reason}`)
 * )
 * ```
 */
export const report = (run: string): Stream.Stream<ReportLine, RunError> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const path = yield* RunFolder.findJournal(run)
      const recovered = yield* recover(path)
      const { end, header } = recovered
      if (header.kind === "export")
        return yield* stateError(header.id, "an export has no report; its output is the result")
      const disk = yield* Disk
      const isRunning = yield* isWorkedOn(path, recovered)
      const input = end === "finished" ? inputFileOf(path, header) : yield* sameInput(path, header, "Restore it")
      return Stream.fromAsyncIterable(
        reportLines(disk, path, recovered, lineNumbers(disk, input, recovered), isRunning),
        (cause) => new JournalError({ message: `cannot read ${path}: ${systemError(cause).meaning}`, journal: path })
      )
    })
  )

/**
 * Writes the lines of a run that are to be corrected, those that failed or are invalid, to a new file in the form of the
 * input, and returns how many there are; of a cancelled run also those that were not tried. The input must be unchanged.
 *
 * @example
 * ```ts
 * import { failedInput } from "@signalbox/bulk"
 *
 * const program = failedInput("tokens.csv", "corrections.csv")
 * ```
 */
export const failedInput = Effect.fnUntraced(function* (
  run: string,
  output: string
): Effect.fn.Return<number, RunError> {
  const path = yield* RunFolder.findJournal(run)
  const { end, header, states } = yield* recover(path)
  if (header.kind === "export") return yield* stateError(header.id, "an export has no input")
  const input = yield* sameInput(path, header, "Restore it")
  const outcomeOf = (line: number) => states.outcomeOf(line) ?? (states.isClaimed(line) ? "unknown" : "not-tried")
  return yield* copyFailed(input, output, end === "cancelled", outcomeOf)
})

/** The runs on this machine: the functions of this module as one value, for programs that also have a database. */
export const embedded: RunStore<RunServices> = {
  start,
  resume,
  retryFailed,
  status,
  list,
  pause,
  cancel,
  remove,
  report,
  failedInput
}
