/**
 * Checks inputs, and starts imports, marks and exports.
 */
import { requestOfFilters } from "@signalbox/core/Events"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { relative, resolve as resolvePath } from "node:path"
import {
  baseOf,
  hold,
  refuseSent,
  refuseUnfinished,
  register,
  type RunFile,
  runFileOf,
  warnOfAnother
} from "./EarlierRuns.ts"
import { Disk } from "./file/Disk.ts"
import { fileError } from "./file/SystemError.ts"
import { formatOf, type InputFile, invalidInput, type Scan, scan } from "./input/InputFile.ts"
import { lineRunKinds, type LineRunKind, wrongDefaults } from "./input/LineRequest.ts"
import { isUrl, nameOf } from "./input/Location.ts"
import * as Journal from "./journal/Journal.ts"
import { type ExportHeader, journalVersion, type LineRunHeader, type RunHeader } from "./journal/JournalRecord.ts"
import { recover } from "./journal/Recovery.ts"
import * as RunFolder from "./journal/RunFolder.ts"
import type { Held } from "./journal/RunLock.ts"
import { MaxRate } from "./run/MaxRate.ts"
import { type RunServices, work, type WorkOptions } from "./run/Work.ts"
import { type FileError, type InvalidInput, InvalidOption, type RunError } from "./RunError.ts"
import { newRunId } from "./RunId.ts"
import {
  checkedConcurrency,
  checkedNames,
  checkedRetention,
  type ExportOptions,
  type LineRunOptions,
  type NewRunOptions
} from "./RunOptions.ts"
import type { RunStatus } from "./RunStatus.ts"

/** The input file that options describe. */
export const inputOf = Effect.fnUntraced(function* (
  kind: LineRunKind,
  { columns = {}, defaults = {}, format, input }: LineRunOptions
): Effect.fn.Return<InputFile, InvalidOption> {
  const known = lineRunKinds[kind]
  yield* checkedNames("columns", columns, Object.keys(known.fields))
  yield* checkedNames("defaults", defaults, known.defaults)
  const [wrong] = wrongDefaults(kind, defaults)
  if (wrong !== undefined) return yield* new InvalidOption({ message: `defaults: ${wrong}`, option: "defaults" })
  return { kind, path: input, format: format ?? formatOf(input), columns, defaults }
})

/** Reads an input, and refuses it if it has invalid lines, unless they are to be outcomes. */
export const checked = Effect.fnUntraced(function* (
  input: InputFile,
  { validate }: Pick<LineRunOptions, "validate">
): Effect.fn.Return<Scan, FileError | InvalidInput> {
  const found = yield* scan(input, { validates: true })
  if (found.invalidLines > 0 && validate !== "during") return yield* invalidInput(nameOf(input.path), found)
  return found
})

const checkLines =
  (kind: LineRunKind) =>
  (options: LineRunOptions, findsRepeats = true): Effect.Effect<Scan, FileError | InvalidOption> =>
    Effect.flatMap(inputOf(kind, options), (input) => scan(input, { validates: true, findsRepeats }))

/**
 * Checks a file of credentials without sending anything: a dry run. It finds lines that repeat an earlier one, which takes
 * memory for each line, unless `findsRepeats` is `false`.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { checkImport } from "@signalbox/bulk"
 *
 * const program = checkImport({ input: "tokens.csv", defaults: { providerId: "fcm" } }).pipe(
 *   Effect.map(({ invalidLines, lines }) => `invalid lines: ${invalidLines} of ${lines}`)
 * )
 * ```
 */
export const checkImport = checkLines("import")

/** Checks a file of messages to mark without sending anything: a dry run. See {@link checkImport}. */
export const checkMark = checkLines("mark")

/** The facts of a header that all runs have. */
const describe = Effect.fnUntraced(function* <const Kind extends RunHeader["kind"]>(
  kind: Kind,
  { connection, service }: NewRunOptions
) {
  const createdAt = DateTime.formatIso(yield* DateTime.now)
  const maxRate = yield* MaxRate
  const id = yield* newRunId(kind, createdAt)
  return {
    type: "run",
    version: journalVersion,
    id,
    createdAt,
    ...(service === undefined ? {} : { service }),
    ...(connection === undefined ? {} : { connection }),
    ...(maxRate === undefined ? {} : { maxRate }),
    kind
  } as const
})

const begin = Effect.fnUntraced(function* (
  run: RunFile,
  header: RunHeader,
  held: Held,
  options: Pick<WorkOptions, "concurrency" | "apiKey">
) {
  const path = RunFolder.journalPath(baseOf(run), header.id)
  yield* Journal.create(path, header)
  // In this order: the journal of an indexed run is missing only where somebody moved or deleted it.
  yield* register(run, header, path)
  return yield* work(path, yield* recover(path), { ...options, isEnvironmentVerified: true, held })
})

/** Starts a run on this machine. */
export const start = Effect.fnUntraced(function* (
  kind: LineRunKind,
  options: LineRunOptions
): Effect.fn.Return<RunStatus, RunError, RunServices | Scope.Scope> {
  const concurrency = yield* checkedConcurrency(options.concurrency)
  const keyRetentionMs = yield* checkedRetention(options.keyRetentionMs)
  const input = yield* inputOf(kind, options)
  if (isUrl(input.path)) {
    const message = "input: a URL is for runs of a database; download the file first"
    return yield* new InvalidOption({ message, option: "input" })
  }
  const run = yield* runFileOf(input.path, options.folder)
  const { folder } = run
  const held = yield* hold(run)
  yield* refuseUnfinished(run, { kind, columns: input.columns, defaults: input.defaults })
  const found = yield* checked(input, options)
  const { bytes, lastLine, lines, sample, sha256 } = found
  const { columns, defaults, format } = input
  const header: LineRunHeader = {
    ...(yield* describe(kind, options)),
    input: { path: relative(folder, resolvePath(input.path)), format, bytes, sha256, sample, lines, lastLine },
    columns,
    defaults,
    atLeastOnce: options.atLeastOnce ?? false,
    serviceHonoursKeys: options.serviceHonoursKeys ?? false,
    keyRetentionMs
  }
  yield* refuseUnfinished(run, header, sha256)
  if (options.again !== true) yield* refuseSent(run, header, options.apiKey)
  if (kind === "import") yield* warnOfAnother(run, options.service)
  return yield* begin(run, header, held, { concurrency, apiKey: options.apiKey })
}, Effect.scoped)

/**
 * Starts a run that upserts the credentials of each line of a file. A failed line is an outcome and ends nothing.
 *
 * **Details**: interruption lets the lines in flight finish and records their outcomes; {@link resume} continues.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as Client from "@signalbox/core/Client"
 * import * as ConnectionConfig from "@signalbox/core/ConnectionConfig"
 * import { startImport } from "@signalbox/bulk"
 *
 * const client = Client.layerConfig(ConnectionConfig.config).pipe(Layer.provide(FetchHttpClient.layer))
 * const program = startImport({
 *   input: "tokens.csv",
 *   columns: { subscriberId: "user", deviceTokens: "token" },
 *   defaults: { providerId: "fcm" }
 * })
 * const { total } = await Effect.runPromise(Effect.provide(program, client))
 * total // => 1
 * ```
 */
export const startImport = (options: LineRunOptions) => start("import", options)

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
export const startMark = (options: LineRunOptions) => start("mark", options)

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
export const startExport = Effect.fnUntraced(function* (
  options: ExportOptions
): Effect.fn.Return<RunStatus, RunError, RunServices | Scope.Scope> {
  const disk = yield* Disk
  const output = resolvePath(options.output)
  const run = yield* runFileOf(output, options.folder)
  const held = yield* hold(run)
  yield* refuseUnfinished(run)
  yield* Effect.tryPromise({
    try: () => disk.create(output, ""),
    catch: fileError("create", output)
  })
  const header: ExportHeader = {
    ...(yield* describe("export", options)),
    output: relative(run.folder, output),
    filters: requestOfFilters(options.filters ?? {}),
    withSecrets: options.withSecrets ?? false
  }
  return yield* begin(run, header, held, { concurrency: 1, apiKey: options.apiKey })
}, Effect.scoped)
