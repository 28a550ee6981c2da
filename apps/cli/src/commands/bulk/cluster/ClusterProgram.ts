/**
 * The cluster functions of the command line, in terms of plain values and promises.
 *
 * The command line is one bundle with its own copy of Effect. This module is built by itself and uses the `effect`,
 * `@effect/platform-node` and `@effect/sql-pg` that the user has installed, so no value of Effect passes in or out.
 */
import { InvalidOption, RunStopped } from "@signalbox/bulk"
import {
  ChunkWorker,
  clientLayer,
  ClusterRuns,
  type ClusterRunStatus,
  makeInputKeys,
  newRunId,
  readLayer,
  retryFailed,
  submit,
  type SubmitOptions,
  workerLayer,
  type WorkerProgress
} from "@signalbox/bulk/cluster"
import * as Client from "@signalbox/core/Client"
import * as Connection from "@signalbox/core/Connection"
import * as UndiciTransport from "@signalbox/core/UndiciTransport"
import * as Cause from "effect/Cause"
import * as OwnKeys from "@signalbox/operator/connections/OwnKeys"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import type { ReportLine } from "@signalbox/bulk"

/** Why a command failed. */
export interface ClusterFailure {
  /** Whether the command line or the configuration is wrong; otherwise the database does not do its work. */
  readonly isUsage: boolean
  /** One line. */
  readonly message: string
  /** Tag of the reason why a worker stopped. */
  readonly reason?: string | undefined
}

/** The result of a command: a value or a failure. */
export type Outcome<A> = { readonly value: A } | { readonly failure: ClusterFailure }

const sqlProblems: Readonly<Record<string, string>> = {
  ConnectionError: "it does not respond",
  AuthenticationError: "it does not accept the user name or the password",
  AuthorizationError: "the user may not do this",
  StatementTimeoutError: "it takes too long",
  LockTimeoutError: "it takes too long",
  ConnectionAcquireTimeoutError: "it does not respond"
}

const isSqlError = (error: unknown): error is SqlError =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "SqlError"

const failureOf = (cause: Cause.Cause<unknown>): ClusterFailure => {
  const error = Cause.squash(cause)
  if (isSqlError(error)) {
    const { _tag } = error.reason
    return { isUsage: false, message: `cannot use the database: ${sqlProblems[_tag] ?? _tag}` }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { isUsage: Cause.hasFails(cause), message, reason: error instanceof RunStopped ? error.reason : undefined }
}

const outcomeOf = <A, E>(effect: Effect.Effect<A, E>, signal?: AbortSignal): Promise<Outcome<A>> =>
  Effect.runPromise(
    Effect.exit(effect).pipe(
      Effect.map((exit) => (Exit.isSuccess(exit) ? { value: exit.value } : { failure: failureOf(exit.cause) })),
      // The cluster logs what the command line says in its own words.
      Effect.provideService(References.MinimumLogLevel, "None")
    ),
    signal && { signal }
  )

/** Where a cluster is. */
export interface ClusterPlace {
  readonly databaseUrl: string
}

const reading = <A, E>(
  { databaseUrl }: ClusterPlace,
  effect: Effect.Effect<A, E, Layer.Success<ReturnType<typeof readLayer>>>,
  signal?: AbortSignal
): Promise<Outcome<A>> => outcomeOf(Effect.provide(effect, readLayer(Redacted.make(databaseUrl))), signal)

const inDatabase = <A, E>(
  { databaseUrl }: ClusterPlace,
  effect: Effect.Effect<A, E, Layer.Success<ReturnType<typeof clientLayer>>>,
  signal?: AbortSignal
): Promise<Outcome<A>> => outcomeOf(Effect.provide(effect, clientLayer(Redacted.make(databaseUrl))), signal)

/** The run that a name means; `.` means the newest. */
const idOf = (run: string) => (run === "." ? ClusterRuns.use((runs) => runs.newest) : Effect.succeed(run))

/** Submits a run; its id is new unless it is given. */
export const submitRun = (place: ClusterPlace, options: Omit<SubmitOptions, "run">, signal: AbortSignal) => {
  const run = Effect.runSync(newRunId(options.kind, new Date().toISOString()))
  return { run, outcome: inDatabase(place, submit({ ...options, run }), signal) }
}

/** Continues a submission that was interrupted. */
export const resumeRun = (place: ClusterPlace, run: string, publicKey: string | undefined, signal: AbortSignal) =>
  inDatabase(
    place,
    Effect.gen(function* () {
      const runs = yield* ClusterRuns
      const id = yield* idOf(run)
      const { state } = yield* runs.status(id)
      if (state !== "planning") {
        const message = `run ${id} is ${state}; workers continue it without a command`
        return yield* new InvalidOption({ message, option: "run" })
      }
      const { file, input, kind, options } = yield* runs.submitted(id)
      if (input.type === "sealed") {
        const message = `the URL of run ${id} is encrypted; cancel the run, and import the URL again`
        return yield* new InvalidOption({ message, option: "run" })
      }
      return yield* submit({ run: id, kind, file, ...options, stage: input.type === "staged", publicKey })
    }),
    signal
  )

/** Reads the status of a run. */
export const statusOf = (place: ClusterPlace, run: string): Promise<Outcome<ClusterRunStatus>> =>
  reading(
    place,
    Effect.flatMap(idOf(run), (id) => ClusterRuns.use((runs) => runs.status(id)))
  )

/** Reads the status of a run every second, until it has ended. */
export const watchRun = (
  place: ClusterPlace,
  run: string,
  onStatus: (status: ClusterRunStatus) => void,
  signal: AbortSignal
): Promise<Outcome<ClusterRunStatus>> =>
  reading(
    place,
    Effect.gen(function* () {
      const id = yield* idOf(run)
      const runs = yield* ClusterRuns
      while (true) {
        const status = yield* runs.status(id)
        onStatus(status)
        if (status.state === "finished" || status.state === "cancelled") return status
        yield* Effect.sleep("1 second")
      }
    }),
    signal
  )

/** Ends a run. */
export const cancelRun = (place: ClusterPlace, run: string): Promise<Outcome<ClusterRunStatus>> =>
  inDatabase(
    place,
    Effect.flatMap(idOf(run), (id) => ClusterRuns.use((runs) => runs.cancel(id)))
  )

/** Sends the failed lines of a run again. */
export const retryRun = (place: ClusterPlace, run: string, atLeastOnce: true | undefined) =>
  inDatabase(
    place,
    Effect.flatMap(idOf(run), (id) => retryFailed(id, { atLeastOnce }))
  )

const reportBatch = 500

/** Hands the report of a run over in batches, until one is not wanted. */
export const reportOf = (
  place: ClusterPlace,
  run: string,
  onLines: (lines: ReadonlyArray<ReportLine>) => Promise<boolean>,
  signal: AbortSignal
): Promise<Outcome<void>> =>
  reading(
    place,
    Effect.gen(function* () {
      const id = yield* idOf(run)
      const runs = yield* ClusterRuns
      yield* runs.status(id)
      yield* Stream.grouped(runs.report(id), reportBatch).pipe(
        Stream.mapEffect((lines) => Effect.promise(() => onLines(lines))),
        Stream.takeWhile((isWanted) => isWanted),
        Stream.runDrain
      )
    }),
    signal
  )

/**
 * Sends with undici, which `@effect/platform-node` brings along: a line costs half the CPU that it costs with `fetch`. Only a
 * worker loads it.
 */
const transportLayer = (usesProxy: boolean) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { Agent, EnvHttpProxyAgent } = yield* Effect.promise(() => import("@effect/platform-node/Undici"))
      const agent = yield* Effect.acquireRelease(
        Effect.sync(() => (usesProxy ? new EnvHttpProxyAgent() : new Agent())),
        (opened) => Effect.promise(() => opened.close())
      )
      return UndiciTransport.layer(agent)
    })
  )

/** The settings of a worker. */
export interface WorkerSettings extends ClusterPlace {
  readonly baseUrl: string
  readonly apiKey: string
  readonly vendor?: string | undefined
  readonly inputKey?: string | undefined
  /** Whether requests use the proxy of the environment variables, as those of the other commands do. */
  readonly usesProxy: boolean
}

const hooksOf = (hooks: WorkerHooks) => Effect.promise((signal) => hooks.untilDrained(signal))

/** Callbacks from a worker to its surroundings. */
export interface WorkerHooks {
  readonly onStart: () => void
  readonly onProgress: (progress: WorkerProgress) => void
  /** Resolves when the worker is to finish. */
  readonly untilDrained: (signal: AbortSignal) => Promise<void>
}

/** Works until `untilDrained` resolves; then the lines in flight finish and are recorded. */
export const runWorker = (settings: WorkerSettings, hooks: WorkerHooks): Promise<Outcome<WorkerProgress>> => {
  const { apiKey, baseUrl, databaseUrl, inputKey, usesProxy, vendor } = settings
  const key = Redacted.make(apiKey)
  OwnKeys.protectKey(key)
  const client = Client.layerNoDeps.pipe(
    Layer.provide(OwnKeys.layer),
    Layer.provide(transportLayer(usesProxy)),
    Layer.provide(Connection.layer({ apiKey: key, baseUrl, ...(vendor === undefined ? {} : { vendor }) }))
  )
  const worker = workerLayer(Redacted.make(databaseUrl), {
    service: baseUrl,
    inputKey: Option.getOrUndefined(Option.map(Option.fromUndefinedOr(inputKey), (key) => Redacted.make(key)))
  }).pipe(Layer.provide(client))
  return outcomeOf(
    Effect.gen(function* () {
      const { drain, failed, progress } = yield* ChunkWorker
      hooks.onStart()
      const showing = Effect.forever(
        Effect.andThen(
          Effect.sleep("1 second"),
          Effect.sync(() => hooks.onProgress(progress()))
        )
      )
      yield* Effect.raceAllFirst([hooksOf(hooks), showing, failed])
      yield* drain
      return progress()
    }).pipe(Effect.provide(worker))
  )
}

/** Makes the key pair for staged inputs. */
export const newInputKeys = (): { readonly inputKey: string; readonly publicKey: string } => {
  const { inputKey, publicKey } = makeInputKeys()
  return { inputKey: Redacted.value(inputKey), publicKey }
}
