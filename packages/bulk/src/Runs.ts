/**
 * Bulk runs on one machine: import, mark and export, each with a journal that survives a crash.
 *
 * @since 0.1.0
 */
import type { Credentials } from "@signalbox/core/Credentials"
import { type EventFilters, queryOfFilters } from "@signalbox/core/EventFilters"
import type { Events } from "@signalbox/core/Events"
import type { Messages } from "@signalbox/core/Messages"
import type { RateLimit } from "@signalbox/core/RateLimit"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { basename, dirname, join, relative, resolve as resolvePath } from "node:path"
import { Disk, type Files } from "./file/Disk.ts"
import { systemError } from "./file/SystemError.ts"
import {
  batchesOf,
  formatOf,
  type InputFile,
  type InputFormat,
  invalidInput,
  type Scan,
  scan
} from "./input/InputFile.ts"
import { readFailedLines } from "./input/FailedLines.ts"
import { lineRunKinds, type LineRunKind } from "./input/LineRequest.ts"
import { isUrl } from "./input/Location.ts"
import * as Journal from "./journal/Journal.ts"
import type { ExportHeader, LineRunHeader, RunHeader } from "./journal/JournalRecord.ts"
import { maxPass } from "./journal/LineStates.ts"
import { type Recovered, recover } from "./journal/Recovery.ts"
import * as RunFolder from "./journal/RunFolder.ts"
import * as RunLock from "./journal/RunLock.ts"
import { type ReportLine, reportLines } from "./Report.ts"
import { doExport } from "./run/ExportRun.ts"
import { doLines, type RunMonitor } from "./run/LineRun.ts"
import { ProgressObserver, Rate } from "./run/Progress.ts"
import {
  FileError,
  InputChanged,
  InvalidOption,
  JournalError,
  type RunError,
  RunStateError,
  RunUnfinished
} from "./RunError.ts"
import { newRunId } from "./RunId.ts"
import type { RunStatus } from "./RunStatus.ts"

/** The services that runs send their calls with. */
type Services = Credentials | Messages | Events | RateLimit

/** Options of every new run. */
export interface NewRunOptions {
  /** Folder of the journal; the folder of the input, or of the output of an export, when absent. */
  readonly folder?: string | undefined
  /**
   * Where the calls go, such as the base URL. Recorded, so that a run cannot be resumed against another service by
   * mistake; not checked when absent.
   */
  readonly service?: string | undefined
}

/** Options of an import or a mark. */
export interface LineRunOptions extends NewRunOptions {
  /** Path of the input file. */
  readonly input: string
  /** Format of the input file; by the name of the file when absent: CSV for `.csv`, otherwise NDJSON. */
  readonly format?: InputFormat | undefined
  /** Column of each field of a CSV file, where its name differs from that of the field. Unmapped columns are ignored then. */
  readonly columns?: Readonly<Record<string, string>> | undefined
  /** Fields for lines that do not have them: `providerId` and `integrationIdentifier`, or `markAs`. */
  readonly defaults?: Readonly<Record<string, string>> | undefined
  /** Path of a report of the same input: only its lines that failed, are unknown or were not tried are done. */
  readonly failedIn?: string | undefined
  /** Calls in flight at most, from 1 to 1,000; 16 when absent. */
  readonly concurrency?: number | undefined
  /**
   * `before`, which is the default: a file with invalid lines is rejected as a whole, and nothing is sent. `during`:
   * invalid lines become outcomes.
   */
  readonly validate?: "before" | "during" | undefined
  /**
   * Sends device tokens again that may have been appended already, although the service is not known to honour
   * idempotency keys; `false` when absent.
   */
  readonly atLeastOnce?: boolean | undefined
  /** Whether the service is known to honour idempotency keys; otherwise the run finds out. */
  readonly serviceHonoursKeys?: boolean | undefined
}

/** Options of an export. */
export interface ExportOptions extends NewRunOptions {
  /** Path of the output file, which must not exist. */
  readonly output: string
  /** Filters of the events; all events when absent. */
  readonly filters?: EventFilters | undefined
}

/** Options for taking up a run. */
export interface ResumeOptions {
  /** Calls in flight at most, from 1 to 1,000; 16 when absent. */
  readonly concurrency?: number | undefined
  /** Where the calls go; see {@link NewRunOptions}. */
  readonly service?: string | undefined
}

/** Options for doing failed lines again. */
export interface RetryOptions extends ResumeOptions {
  /** See {@link LineRunOptions}; as when the run was started when absent. */
  readonly atLeastOnce?: boolean | undefined
}

const standardConcurrency = 16

const checkedConcurrency = (concurrency = standardConcurrency): Effect.Effect<number, InvalidOption> =>
  Number.isInteger(concurrency) && concurrency >= 1 && concurrency <= 1000
    ? Effect.succeed(concurrency)
    : new InvalidOption({ message: "concurrency: must be a whole number from 1 to 1000", option: "concurrency" })

const checkedNames = (
  option: string,
  given: Readonly<Record<string, string>>,
  allowed: ReadonlyArray<string>
): Effect.Effect<void, InvalidOption> => {
  const wrong = Object.keys(given).find((name) => !allowed.includes(name))
  return wrong === undefined
    ? Effect.void
    : new InvalidOption({
        message: `${option}: unknown field "${wrong}"; expected one of: ${allowed.join(", ")}`,
        option
      })
}

/** The input file that options describe. */
const inputOf = Effect.fnUntraced(function* (
  kind: LineRunKind,
  { columns = {}, defaults = {}, failedIn, format, input }: LineRunOptions
): Effect.fn.Return<InputFile, InvalidOption | FileError | InputChanged> {
  const known = lineRunKinds[kind]
  yield* checkedNames("columns", columns, Object.keys(known.fields))
  yield* checkedNames("defaults", defaults, known.defaults)
  const only = failedIn === undefined ? undefined : (yield* readFailedLines(failedIn)).lines
  return { kind, path: input, format: format ?? formatOf(input), columns, defaults, only }
})

const checkLines =
  (kind: LineRunKind) =>
  (options: LineRunOptions): Effect.Effect<Scan, FileError | InputChanged | InvalidOption> =>
    Effect.flatMap(inputOf(kind, options), (input) => scan(input, true))

/**
 * Checks a file of credentials without sending anything: a dry run.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { checkImport } from "@signalbox/bulk"
 *
 * const program = checkImport({ input: "tokens.csv", defaults: { providerId: "fcm" } }).pipe(
 *   Effect.map(({ invalidLines, lines }) => `${invalidLines} of ${lines} lines are invalid`)
 * )
 * ```
 */
export const checkImport = checkLines("import")

/** Checks a file of messages to mark without sending anything: a dry run. See {@link checkImport}. */
export const checkMark = checkLines("mark")

const isoNow = Effect.map(Clock.currentTimeMillis, (now) => new Date(now).toISOString())

const statusOf = (path: string, { header, pages, pass, states }: Recovered, state: RunStatus["state"]): RunStatus => {
  const folder = dirname(path)
  const isExport = header.kind === "export"
  return {
    id: header.id,
    kind: header.kind,
    state,
    journal: path,
    file: resolvePath(folder, isExport ? header.output : header.input.path),
    createdAt: header.createdAt,
    total: isExport ? undefined : header.input.lines,
    counts: isExport ? { succeeded: pages.events, failed: 0, unknown: 0, invalid: 0 } : states.counts(),
    inDoubt: states.claimed,
    maybeTwice: states.maybeTwice,
    pass
  }
}

/** What the lock of a run is named after: its file, in the folder of its journal. */
const lockBase = (journal: string, { header }: Recovered): string =>
  join(dirname(journal), basename(header.kind === "export" ? header.output : header.input.path))

const inputFileOf = Effect.fnUntraced(function* (
  journal: string,
  header: LineRunHeader
): Effect.fn.Return<InputFile, FileError | InputChanged> {
  const { columns, defaults, failedIn, input, kind } = header
  const fromJournal = (path: string) => resolvePath(dirname(journal), path)
  const only =
    failedIn === undefined ? undefined : (yield* readFailedLines(fromJournal(failedIn.path), failedIn.sha256)).lines
  return { kind, path: fromJournal(input.path), format: input.format, columns, defaults, only }
})

const cancelMarker = (journal: string): string => `${journal}.cancel`

const exists = (path: string): Effect.Effect<boolean> =>
  Effect.flatMap(Disk, (disk) =>
    Effect.promise(() =>
      disk.stat(path).then(
        () => true,
        () => false
      )
    )
  )

/** Removes a file, if it exists. */
const remove = (path: string): Effect.Effect<void> =>
  Effect.flatMap(Disk, (disk) => Effect.promise(() => disk.remove(path).catch(() => {})))

/** Calls the observer of the surroundings, if there is one, five times a second until the scope closes. */
const observe = Effect.fnUntraced(function* (
  path: string,
  { header }: Recovered,
  monitor: RunMonitor
): Effect.fn.Return<void, never, Scope.Scope> {
  const onProgress = yield* ProgressObserver
  if (onProgress === undefined) return
  const clock = yield* Clock.Clock
  const rate = new Rate()
  const total = header.kind === "export" ? undefined : header.input.lines
  const tick = Effect.sync(() => {
    const known = monitor.progress()
    const done = Object.values(known.counts).reduce((sum, count) => sum + count, 0)
    const perSecond = rate.observe(clock.currentTimeMillisUnsafe(), done)
    const timeLeftMs = total === undefined || perSecond <= 0 ? undefined : ((total - done) * 1000) / perSecond
    onProgress({ ...known, id: header.id, journal: path, total, perSecond, timeLeftMs })
  })
  yield* Effect.forkScoped(Effect.repeat(tick, Schedule.spaced("200 millis")))
  yield* Effect.addFinalizer(() => tick)
})

/** Does a run whose journal exists, and records how it ended. The lock must be held. */
const work = (path: string, recovered: Recovered, concurrency: number): Effect.Effect<RunStatus, RunError, Services> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { header, pass } = recovered
      const journal = yield* Journal.openForWriting(path, recovered.validBytes)
      const monitor: RunMonitor = {
        progress: () => ({ counts: recovered.states.counts(), inFlight: 0, concurrency: 0, waiting: undefined })
      }
      yield* observe(path, recovered, monitor)
      const doAll: Effect.Effect<void, RunError, Services> =
        header.kind === "export"
          ? doExport({ header, output: resolvePath(dirname(path), header.output), recovered, journal }, monitor)
          : Effect.flatMap(inputFileOf(path, header), (input) =>
              doLines({ header, input, recovered, journal, concurrency }, monitor)
            )
      const marker = cancelMarker(path)
      const cancelled = Effect.repeat(exists(marker), {
        schedule: Schedule.spaced("250 millis"),
        until: (found) => found
      })
      const isCancelled = yield* Effect.raceFirst(Effect.as(doAll, false), cancelled)
      yield* journal.append({ type: isCancelled ? "cancelled" : "finished" })
      yield* journal.commit
      yield* remove(marker)
      const known = header.kind === "export" ? yield* recover(path) : { ...recovered, pass }
      return statusOf(path, known, isCancelled ? "cancelled" : "finished")
    })
  )

/** Refuses a new run while the same file has one that is not finished: its lines would be sent with other keys. */
const refuseUnfinished = Effect.fnUntraced(function* (base: string) {
  for (const { ended, id, journal } of yield* RunFolder.runsOf(base)) {
    if (ended) continue
    const message = `${basename(base)} has an unfinished run, ${id}. Resume it, or cancel it first`
    return yield* new RunUnfinished({ message, id, journal })
  }
})

const begin = (base: string, header: RunHeader, concurrency: number): Effect.Effect<RunStatus, RunError, Services> =>
  Effect.gen(function* () {
    const path = RunFolder.journalPath(base, header.id)
    yield* Journal.create(path, header)
    return yield* work(path, yield* recover(path), concurrency)
  })

const startLines =
  (kind: LineRunKind) =>
  (options: LineRunOptions): Effect.Effect<RunStatus, RunError, Services> =>
    Effect.scoped(
      Effect.gen(function* () {
        const concurrency = yield* checkedConcurrency(options.concurrency)
        const input = yield* inputOf(kind, options)
        if (isUrl(input.path)) {
          const message = "input: a URL is for runs on a cluster; download the file first"
          return yield* new InvalidOption({ message, option: "input" })
        }
        const folder = resolvePath(options.folder ?? dirname(input.path))
        const base = join(folder, basename(input.path))
        yield* RunLock.acquire(base)
        yield* refuseUnfinished(base)
        const found = yield* scan(input, options.validate !== "during")
        if (found.invalidLines > 0) return yield* invalidInput(input.path, found)
        const createdAt = yield* isoNow
        const { bytes, lastLine, lines, sha256 } = found
        const header: LineRunHeader = {
          type: "run",
          version: 1,
          id: yield* newRunId(kind, createdAt),
          createdAt,
          ...(options.service === undefined ? {} : { service: options.service }),
          kind,
          input: {
            path: relative(folder, resolvePath(input.path)),
            format: input.format,
            bytes,
            sha256,
            lines,
            lastLine
          },
          columns: input.columns,
          defaults: input.defaults,
          ...(options.failedIn === undefined
            ? {}
            : {
                failedIn: {
                  path: relative(folder, resolvePath(options.failedIn)),
                  sha256: (yield* readFailedLines(options.failedIn)).sha256
                }
              }),
          atLeastOnce: options.atLeastOnce ?? false,
          serviceHonoursKeys: options.serviceHonoursKeys ?? false
        }
        return yield* begin(base, header, concurrency)
      })
    )

/**
 * Starts a run that upserts the credentials of each line of a file. A failed line is an outcome and ends nothing.
 *
 * **Details**: interruption lets the lines in flight finish and records their outcomes; {@link resume} continues.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { startImport } from "@signalbox/bulk"
 *
 * const program = startImport({
 *   input: "tokens.csv",
 *   columns: { subscriberId: "user", deviceTokens: "token" },
 *   defaults: { providerId: "fcm" }
 * }).pipe(Effect.map(({ counts }) => counts.failed))
 * ```
 */
export const startImport = startLines("import")

/**
 * Starts a run that marks the messages of each line of a file.
 *
 * @example
 * ```ts
 * import { startMark } from "@signalbox/bulk"
 *
 * const program = startMark({ input: "messages.ndjson", defaults: { markAs: "read" } })
 * ```
 */
export const startMark = startLines("mark")

/**
 * Starts a run that writes all events that match the filters to a file, one JSON object per line, newest first.
 *
 * @example
 * ```ts
 * import { startExport } from "@signalbox/bulk"
 *
 * const program = startExport({ output: "march.ndjson", filters: { after: "2026-03-01T00:00:00Z" } })
 * ```
 */
export const startExport = (options: ExportOptions): Effect.Effect<RunStatus, RunError, Services> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { filters = {}, service } = options
      const disk = yield* Disk
      const output = resolvePath(options.output)
      const folder = resolvePath(options.folder ?? dirname(output))
      const base = join(folder, basename(output))
      yield* RunLock.acquire(base)
      yield* refuseUnfinished(base)
      yield* Effect.tryPromise({
        try: () => disk.create(output, ""),
        catch: (cause) => {
          const { code, meaning } = systemError(cause)
          const message = `cannot create ${output}: ${meaning}`
          return new FileError({ message, file: output, ...(code === undefined ? {} : { code }) })
        }
      })
      const createdAt = yield* isoNow
      const header: ExportHeader = {
        type: "run",
        version: 1,
        id: yield* newRunId("export", createdAt),
        createdAt,
        ...(service === undefined ? {} : { service }),
        kind: "export",
        output: relative(folder, output),
        filters: queryOfFilters(filters)
      }
      return yield* begin(base, header, 1)
    })
  )

const stateError = (id: string, message: string) => new RunStateError({ id, message })

/** Opens a run again under its lock, and checks that service and input are the same. */
const takeUp = Effect.fnUntraced(function* (
  run: string,
  { service }: ResumeOptions
): Effect.fn.Return<readonly [path: string, recovered: Recovered], RunError, Scope.Scope> {
  const path = yield* RunFolder.findJournal(run)
  yield* RunLock.acquire(lockBase(path, yield* recover(path)))
  const recovered = yield* recover(path)
  const { header } = recovered
  if (service !== undefined && header.service !== undefined && service !== header.service) {
    return yield* stateError(header.id, `run ${header.id} was started for ${header.service}, not for ${service}`)
  }
  if (header.kind !== "export") {
    const input = yield* inputFileOf(path, header)
    const found = yield* scan(input, false)
    if (found.sha256 !== header.input.sha256) {
      const message = `${input.path} has changed since run ${header.id} was started. Restore it, or start a new run`
      return yield* new InputChanged({ message, file: input.path })
    }
  }
  return [path, recovered]
})

/** Adds a record to the journal of a run that nothing works on. */
const note = (path: string, recovered: Recovered, record: Parameters<Journal.Journal["append"]>[0]) =>
  Effect.scoped(
    Effect.gen(function* () {
      const journal = yield* Journal.openForWriting(path, recovered.validBytes)
      yield* journal.append(record)
      yield* journal.commit
    })
  )

/**
 * Continues a run that was interrupted or stopped. `run` is the path of its journal, of its input or output file, or of
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
export const resume = (run: string, options: ResumeOptions = {}): Effect.Effect<RunStatus, RunError, Services> =>
  Effect.scoped(
    Effect.gen(function* () {
      const concurrency = yield* checkedConcurrency(options.concurrency)
      const [path, recovered] = yield* takeUp(run, options)
      const { end, header } = recovered
      if (end === "finished" || end === "cancelled") {
        return yield* stateError(header.id, `run ${header.id} is ${end}; there is nothing to resume`)
      }
      yield* note(path, recovered, { type: "resumed" })
      return yield* work(path, yield* recover(path), concurrency)
    })
  )

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
export const retryFailed = (run: string, options: RetryOptions = {}): Effect.Effect<RunStatus, RunError, Services> =>
  Effect.scoped(
    Effect.gen(function* () {
      const concurrency = yield* checkedConcurrency(options.concurrency)
      const [path, recovered] = yield* takeUp(run, options)
      const { end, header, pass } = recovered
      if (header.kind === "export") return yield* stateError(header.id, "an export has no lines that can fail")
      if (end === "cancelled") return yield* stateError(header.id, `run ${header.id} is cancelled`)
      if (end !== "finished") return yield* stateError(header.id, `run ${header.id} is not finished; resume it first`)
      if (pass >= maxPass)
        return yield* stateError(header.id, `run ${header.id} was retried ${maxPass - 1} times already`)
      const atLeastOnce = options.atLeastOnce ?? recovered.atLeastOnce
      yield* note(path, recovered, { type: "pass", pass: pass + 1, atLeastOnce })
      return yield* work(path, yield* recover(path), concurrency)
    })
  )

/** Reads what is known of a run, also while another process works on it. */
export const status = Effect.fnUntraced(function* (run: string): Effect.fn.Return<RunStatus, RunError> {
  const path = yield* RunFolder.findJournal(run)
  const recovered = yield* recover(path)
  const isRunning = (yield* RunLock.holder(lockBase(path, recovered))) !== undefined
  return statusOf(path, recovered, recovered.end ?? (isRunning ? "running" : "interrupted"))
})

/**
 * Ends a run for good. The process that works on it finishes its lines in flight first; this waits for it.
 */
export const cancel = Effect.fnUntraced(function* (run: string): Effect.fn.Return<RunStatus, RunError> {
  const path = yield* RunFolder.findJournal(run)
  const marker = cancelMarker(path)
  const known = yield* recover(path)
  const { id } = known.header
  if (known.end === "finished" || known.end === "cancelled") return yield* stateError(id, `run ${id} is ${known.end}`)
  const disk = yield* Disk
  if (!(yield* exists(marker))) {
    yield* Effect.tryPromise({
      try: () => disk.create(marker, ""),
      catch: (cause) =>
        new JournalError({ message: `cannot write ${marker}: ${systemError(cause).meaning}`, journal: path })
    })
  }
  return yield* Effect.scoped(
    Effect.gen(function* () {
      yield* Effect.retry(RunLock.acquire(lockBase(path, known)), {
        schedule: Schedule.spaced("100 millis"),
        while: ({ _tag }) => _tag === "RunLocked"
      })
      const recovered = yield* recover(path)
      if (recovered.end !== "finished" && recovered.end !== "cancelled") {
        yield* note(path, recovered, { type: "cancelled" })
      }
      yield* remove(marker)
      return statusOf(path, recovered, recovered.end === "finished" ? "finished" : "cancelled")
    })
  )
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
      const input = yield* inputFileOf(path, header)
      if (end !== "finished" && (yield* scan(input, false)).sha256 !== header.input.sha256) {
        const message = `${input.path} has changed since run ${header.id} was started. Restore it`
        return yield* new InputChanged({ message, file: input.path })
      }
      return Stream.fromAsyncIterable(
        reportLines(disk, path, recovered, lineNumbers(disk, input, recovered)),
        (cause) => new JournalError({ message: `cannot read ${path}: ${systemError(cause).meaning}`, journal: path })
      )
    })
  )
