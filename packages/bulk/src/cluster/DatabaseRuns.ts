/**
 * Workers on any number of machines that share runs in a PostgreSQL database.
 *
 * **When to use**: for runs that one machine cannot do in time, or must not stop with one machine. Needs
 * `@effect/sql-pg` and a PostgreSQL database, which one machine does not.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import { resolve as resolvePath } from "node:path"
import { planContents } from "./Chunk.ts"
import { finished, isSameWork, sentBefore, unfinished } from "../EarlierRuns.ts"
import { systemError } from "../file/SystemError.ts"
import { copyFailed } from "../input/FailedInput.ts"
import { type InputFile, requireSame } from "../input/InputFile.ts"
import type { LineRunKind } from "../input/LineRequest.ts"
import { isUrl, mayContainSecret, nameOf } from "../input/Location.ts"
import { checked, inputOf } from "../NewRun.ts"
import type { ReportLine } from "../Report.ts"
import { environmentOfClient, otherEnvironmentMessage } from "../run/Environment.ts"
import {
  DatabaseError,
  InvalidOption,
  type RunFinished,
  RunNotFound,
  RunStateError,
  type RunUnfinished
} from "../RunError.ts"
import { newRunId } from "../RunId.ts"
import { checkedRetention, type LineRunOptions, type RetryOptions } from "../RunOptions.ts"
import { type Halt, refuseEnded, requireEnded, requireFinished } from "../RunStatus.ts"
import type { RunStore } from "../RunStore.ts"
import { ChunkStore, type EarlierRun, type RunInput, type SubmittedRun } from "./ChunkStore.ts"
import { FleetLimit } from "./FleetLimit.ts"
import { checkPublicKey, seal } from "./StagedInput.ts"
import { ChunkWorker, type WorkerKeys } from "./ChunkWorker.ts"

/** Options of a worker. */
export interface WorkerOptions extends WorkerKeys {
  /** Base URL of the service that the client leads to. A database is for one service: the first worker decides which. */
  readonly service: string
}

/** A path from everywhere, or a URL. */
const locationOf = (file: string): string => (isUrl(file) ? file : resolvePath(file))

/**
 * Refuses a connection to another service or environment than the one that the database is for, which the first worker
 * decides.
 */
const claimDatabase = Effect.fnUntraced(function* (service: string) {
  const store = yield* ChunkStore
  const claimed = yield* store.claimService(service)
  if (claimed !== service) {
    const message = `this database is for ${claimed}, and the connection leads to ${service}; use one database for each service`
    return yield* new InvalidOption({ message, option: "service" })
  }
  const environment = yield* environmentOfClient
  if (environment === undefined) return
  const own = yield* store.claimEnvironment(environment)
  if (own === environment) return
  const message = `${otherEnvironmentMessage(own, environment)}. Nothing was sent; use a key of ${own}`
  return yield* new InvalidOption({ message, option: "apiKey" })
})

/**
 * A worker: does chunks of all runs of the database until its scope closes. Any number of workers can be added, removed or
 * killed at any time. A worker has 32 calls in flight at most.
 *
 * **Details**: `ChunkWorker.drain` lets the lines in flight finish and records them, before the scope closes.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import * as Redacted from "effect/Redacted"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as Client from "@signalbox/core/Client"
 * import { workerLayer } from "@signalbox/bulk/cluster"
 *
 * const service = "https://api.example.com"
 * const client = Client.layer({ apiKey: "key", baseUrl: service })
 * const database = Redacted.make("postgres://user:password@database.example.com/bulk")
 * const worker = workerLayer(database, { service }).pipe(
 *   Layer.provide(client),
 *   Layer.provide(FetchHttpClient.layer)
 * )
 * const program = Layer.launch(worker)
 * ```
 */
export const workerLayer = (url: Redacted.Redacted<string>, options: WorkerOptions) =>
  workerOn(options).pipe(Layer.provide(postgres(url, ChunkStore.layer)))

/** A worker on any store. */
const workerOn = ({ service, ...keys }: WorkerOptions) =>
  ChunkWorker.layer(keys).pipe(
    Layer.provide(FleetLimit.layer),
    Layer.provide(Layer.effectDiscard(Effect.mapError(claimDatabase(service), asRunError)))
  )

/** The errors of a database in words, by their code or their tag. */
const sqlProblems: Readonly<Record<string, string>> = {
  "3D000": "it does not exist",
  EAI_AGAIN: "its host is unknown",
  ENOTFOUND: "its host is unknown",
  ERR_INVALID_URL: "its URL is invalid; expected postgres://USER:PASSWORD@HOST/NAME",
  ConnectionError: "it does not respond",
  AuthenticationError: "it does not accept the user name or the password",
  AuthorizationError: "the user may not do this",
  StatementTimeoutError: "it takes too long",
  LockTimeoutError: "it takes too long",
  ConnectionAcquireTimeoutError: "it does not respond"
}

/** The errors of a store as errors of a run. */
const asRunError = <E>(error: E | SqlError): Exclude<E, SqlError> | DatabaseError => {
  // The check narrows no generic type.
  if (!isSqlError(error)) return error as Exclude<E, SqlError>
  const { _tag, cause } = error.reason
  const { code = _tag } = systemError(cause)
  return new DatabaseError({ message: `cannot use the database: ${sqlProblems[code] ?? sqlProblems[_tag] ?? code}` })
}

const postgres = <A>(
  url: Redacted.Redacted<string>,
  store: Layer.Layer<A, SqlError | InvalidOption, SqlClient>
): Layer.Layer<A | SqlClient, DatabaseError | InvalidOption> =>
  store.pipe(
    Layer.provideMerge(PgClient.layer({ url, applicationName: "signalbox" })),
    Layer.catch((error) =>
      Layer.unwrap<A | SqlClient, never, never, DatabaseError | InvalidOption, never>(Effect.fail(asRunError(error)))
    )
  )

/** Lines of a chunk of a run. Tests change it. */
export const ChunkSize = Context.Reference<number>("signalbox/bulk/cluster/ChunkSize", { defaultValue: () => 200 })

/** The purpose of an encrypted value, which cannot be decrypted for another one. */
const locationPlace = (run: string): string => `${run}/location`

const runInputOf = (
  id: string,
  { input, stage = false }: Pick<LineRunOptions, "input" | "stage">,
  publicKey: string | undefined
): Result.Result<RunInput, InvalidOption> => {
  if (!stage && !mayContainSecret(input)) return Result.succeed({ type: "shared", location: input })
  if (publicKey === undefined) {
    const what = stage ? "a staged input" : `the URL ${nameOf(input)}, which has a password or a query,`
    const message = `${what} needs the public key of the workers; make a pair with: signalbox bulk input-key`
    return Result.fail(new InvalidOption({ message, option: "publicKey" }))
  }
  const wrong = checkPublicKey("the public key of the workers", publicKey)
  if (wrong !== undefined) return Result.fail(new InvalidOption({ message: wrong.message, option: "publicKey" }))
  if (stage) return Result.succeed({ type: "staged" })
  const location = seal(publicKey, locationPlace(id), Buffer.from(input)).toString("base64url")
  return Result.succeed({ type: "sealed", location })
}

const inputFileOf = ({ file, kind, options }: SubmittedRun): InputFile => ({ ...options, kind, path: file })

/** Refuses a run that would send the lines of an earlier one with other keys, or again. */
const refuse = (
  run: SubmittedRun,
  { end, id, kind, mayHaveBeenApplied, options }: EarlierRun,
  again = false
): Effect.Effect<void, RunFinished | RunStateError | RunUnfinished> => {
  const isSame = isSameWork({ kind: run.kind, ...run.options }, { kind, ...options })
  if (end === null) {
    return options.sha256 === run.options.sha256 ? Effect.fail(unfinished(run.file, id, id, isSame)) : Effect.void
  }
  if (!isSame || again) return Effect.void
  const reason = sentBefore(run.file, run.options, { id, end, mayHaveBeenApplied, input: options })
  if (reason === undefined) return Effect.void
  return Effect.fail(reason === "finished" ? finished(run.file, id, id) : reason)
}

/** Chunks that are submitted at once. */
const submitBatch = 100

const make = Effect.fnUntraced(function* (publicKey: string | undefined) {
  const store = yield* ChunkStore
  const size = yield* ChunkSize

  const statusOf = Effect.fnUntraced(function* (id: string) {
    const [status] = yield* store.statuses(id)
    return status ?? (yield* new RunNotFound({ message: `the database has no run ${id}` }))
  })

  const find = (run: string) => store.find(run, locationOf(run))

  const refusal = (id: string, message: string) => new RunStateError({ id, message })

  /** Divides the input of a run into chunks, and adds those that the store does not have yet. */
  const plan = Effect.fnUntraced(function* ({ id, input, kind, options }: SubmittedRun, file: string) {
    const { columns, format } = options
    let planned = 0
    yield* planContents({ run: id, kind, file, format, columns, size }).pipe(
      Stream.grouped(submitBatch),
      Stream.runForEach(
        Effect.fnUntraced(function* (batch) {
          const chunks = Arr.map(batch, ({ chunk, content }, at) => ({
            chunk,
            sealed: input.type === "staged" ? seal(publicKey ?? "", `${id}/${planned + at}`, content) : undefined
          }))
          yield* store.addChunks(planned, chunks)
          planned += batch.length
        })
      )
    )
    yield* store.setPlanned(id)
    return yield* statusOf(id)
  })

  const start = Effect.fnUntraced(function* (kind: LineRunKind, given: LineRunOptions) {
    const options = { ...given, input: locationOf(given.input) }
    const keyRetentionMs = yield* checkedRetention(options.keyRetentionMs)
    const { columns, defaults, format, ...input } = yield* inputOf(kind, options)
    const file = nameOf(input.path)
    const { sample, sha256 } = yield* checked({ ...input, columns, defaults, format }, options)
    const id = yield* newRunId(kind, DateTime.formatIso(yield* DateTime.now))
    const run: SubmittedRun = {
      id,
      kind,
      file,
      input: yield* Effect.fromResult(runInputOf(id, options, publicKey)),
      options: {
        format,
        columns,
        defaults,
        sha256,
        sample,
        atLeastOnce: options.atLeastOnce ?? false,
        serviceHonoursKeys: options.serviceHonoursKeys ?? false,
        keyRetentionMs
      }
    }
    yield* store.create(run, (earlier) =>
      Effect.asVoid(Effect.forEach(earlier, (each) => refuse(run, each, options.again)))
    )
    return yield* plan(run, options.input)
  })

  const resume = Effect.fnUntraced(function* (name: string) {
    const run = yield* find(name)
    const { file, id, input, isPlanned } = run
    yield* refuseEnded(id, (yield* statusOf(id)).state, "; there is nothing to resume")
    if (!isPlanned) {
      if (input.type === "sealed") {
        return yield* refusal(id, `the URL of run ${id} is encrypted; cancel the run, and import the URL again`)
      }
      yield* Effect.fromResult(runInputOf(id, { input: file, stage: input.type === "staged" }, publicKey))
      yield* requireSame(inputFileOf(run), run.options.sha256, id, "Restore it, or cancel the run")
    }
    yield* store.halt(id, undefined)
    return yield* isPlanned ? statusOf(id) : plan(run, file)
  })

  const retryFailed = Effect.fnUntraced(function* (name: string, { atLeastOnce }: RetryOptions = {}) {
    const { file, id, input } = yield* find(name)
    const { counts, state } = yield* statusOf(id)
    yield* requireFinished(id, state)
    if (counts.failed + counts.unknown > 0 && input.type === "staged") {
      return yield* refusal(
        id,
        `run ${id} has no input any more: a staged input is deleted at the end of its run. ` +
          `Import the failed lines of ${file} that bulk report --failed-input writes`
      )
    }
    yield* store.startPass(id, atLeastOnce)
    return yield* statusOf(id)
  })

  const halt = Effect.fnUntraced(function* (name: string, as: Halt) {
    const { id } = yield* find(name)
    yield* refuseEnded(id, (yield* statusOf(id)).state)
    yield* store.halt(id, as)
    return yield* statusOf(id)
  })

  const remove = Effect.fnUntraced(function* (name: string) {
    const { id } = yield* find(name)
    const status = yield* statusOf(id)
    yield* requireEnded(id, status.state)
    yield* store.remove(id)
    return status
  })

  const failedInput = Effect.fnUntraced(function* (name: string, output: string) {
    const run = yield* find(name)
    const { file, id } = run
    if (isUrl(file)) {
      return yield* refusal(
        id,
        `the input of run ${id} is a URL; take the lines that its report names from the file there`
      )
    }
    const inputFile = inputFileOf(run)
    yield* requireSame(inputFile, run.options.sha256, id, "Restore it")
    const isCancelled = (yield* statusOf(id)).state === "cancelled"
    const outcomes = new Map<number, ReportLine["outcome"]>()
    yield* Stream.runForEach(
      Stream.filter(store.report(id), ({ outcome }) => isCancelled || outcome !== "succeeded"),
      ({ line, outcome }) => Effect.sync(() => outcomes.set(line, outcome))
    )
    return yield* copyFailed(inputFile, output, isCancelled, (line) => outcomes.get(line) ?? "not-tried")
  })

  const withRunErrors = <A, E>(work: Effect.Effect<A, E | SqlError>) => Effect.mapError(work, asRunError)

  const runs: RunStore<never> = {
    start: (kind, options) => withRunErrors(start(kind, options)),
    resume: (run) => withRunErrors(resume(run)),
    retryFailed: (run, options) => withRunErrors(retryFailed(run, options)),
    status: (run) => withRunErrors(Effect.flatMap(find(run), ({ id }) => statusOf(id))),
    list: Effect.match(withRunErrors(store.statuses()), {
      onFailure: (error) => ({ runs: [], errors: [error] }),
      onSuccess: (found) => ({ runs: found, errors: [] })
    }),
    pause: (run) => withRunErrors(halt(run, "paused")),
    cancel: (run) => withRunErrors(halt(run, "cancelled")),
    remove: (run) => withRunErrors(remove(run)),
    report: (run) => Stream.mapError(Stream.unwrap(Effect.map(find(run), ({ id }) => store.report(id))), asRunError),
    failedInput: (run, output) => withRunErrors(failedInput(run, output))
  }
  return runs
})

/** The key that encrypts inputs for the workers. */
export interface DatabaseOptions {
  /** Public key of the workers, for an input that is staged or a URL that contains a secret. */
  readonly publicKey?: string | undefined
}

/**
 * The runs of a database: any process that reaches it can submit them and read their records; workers send their lines.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Redacted from "effect/Redacted"
 * import { DatabaseRuns, databaseLayer } from "@signalbox/bulk/cluster"
 *
 * const database = Redacted.make("postgres://user:password@database.example.com/bulk")
 * const program = DatabaseRuns.use((runs) => runs.start("import", { input: "/shared/tokens.ndjson" })).pipe(
 *   Effect.provide(databaseLayer(database))
 * )
 * ```
 */
export class DatabaseRuns extends Context.Service<DatabaseRuns, RunStore<never>>()(
  "signalbox/bulk/cluster/DatabaseRuns"
) {
  static readonly layer = ({ publicKey }: DatabaseOptions = {}) => Layer.effect(DatabaseRuns, make(publicKey))
}

/** The runs of a PostgreSQL database, for a process that sends no lines itself. */
export const databaseLayer = (url: Redacted.Redacted<string>, options: DatabaseOptions = {}) =>
  DatabaseRuns.layer(options).pipe(Layer.provideMerge(postgres(url, ChunkStore.layer)))

/** The same for reading only: a database user with `SELECT` is enough for `status`, `list` and `report`. */
export const readLayer = (url: Redacted.Redacted<string>) =>
  DatabaseRuns.layer().pipe(Layer.provideMerge(postgres(url, ChunkStore.readLayer)))
