/**
 * Workers on any number of machines that share runs in a PostgreSQL database.
 *
 * **When to use**: for runs that one machine cannot do in time, or must not stop with one machine. Needs
 * `@effect/sql-pg` and a PostgreSQL database, which one machine does not.
 *
 * @since 0.1.0
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { planContents } from "../Chunk.ts"
import { readFailedLines } from "../input/FailedLines.ts"
import { formatOf } from "../input/InputFile.ts"
import type { LineRunKind } from "../input/LineRequest.ts"
import { mayContainSecret, nameOf } from "../input/Location.ts"
import { environmentOfClient, otherEnvironmentMessage } from "../run/Environment.ts"
import { InvalidOption } from "../RunError.ts"
import { checkedRetention, type LineRunOptions } from "../RunOptions.ts"
import { ClusterRuns, type RunInput, type SubmittedRun } from "./ClusterRuns.ts"
import { FleetLimit } from "./FleetLimit.ts"
import { checkKey, seal } from "./StagedInput.ts"
import { ChunkWorker } from "./ChunkWorker.ts"

/** Options of a worker. */
export interface WorkerOptions {
  /** Base URL of the service that the client leads to. A cluster is for one service: the first worker decides which. */
  readonly service: string
  /** Key that decrypts staged inputs; without it, this worker does none of them. */
  readonly inputKey?: Redacted.Redacted<string> | undefined
}

const differentService = (service: string, own: string) =>
  new InvalidOption({
    message: `this cluster is for ${service}, and the connection leads to ${own}; use one database for each service`,
    option: "service"
  })

/**
 * Refuses a connection to another service or environment than the one that the cluster is for, which the first worker
 * decides.
 */
export const claimCluster = Effect.fnUntraced(function* (service: string) {
  const runs = yield* ClusterRuns
  const claimed = yield* runs.claimService(service)
  if (claimed !== service) return yield* differentService(claimed, service)
  const environment = yield* environmentOfClient
  if (environment === undefined) return
  const own = yield* runs.claimEnvironment(environment)
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
export const workerLayer = (url: Redacted.Redacted<string>, { inputKey, service }: WorkerOptions) => {
  return ChunkWorker.layer(inputKey).pipe(
    Layer.provide(FleetLimit.layer),
    Layer.provide(Layer.effectDiscard(claimCluster(service))),
    Layer.provide(clientLayer(url))
  )
}

const databaseLayer = (url: Redacted.Redacted<string>) => PgClient.layer({ url, applicationName: "signalbox" })

/** Requirements of {@link submit}, {@link retryFailed} and cancelling, for a process that sends no lines itself. */
export const clientLayer = (url: Redacted.Redacted<string>) =>
  ClusterRuns.layer.pipe(Layer.provideMerge(databaseLayer(url)))

/** Requirements of `status` and `report`: a database user that may only read is enough. */
export const readLayer = (url: Redacted.Redacted<string>) =>
  ClusterRuns.readLayer.pipe(Layer.provideMerge(databaseLayer(url)))

/** A run that is submitted to a cluster. */
export interface SubmitOptions extends Pick<
  LineRunOptions,
  "format" | "columns" | "defaults" | "failedIn" | "atLeastOnce" | "serviceHonoursKeys" | "keyRetentionMs"
> {
  /** Id of the run: the same to continue a submission that was interrupted, another for another run of the same input. */
  readonly run: string
  readonly kind: LineRunKind
  /** Path or URL of the input; as every worker can read it, unless it is staged. */
  readonly file: string
  /** Puts the input into the database, encrypted, and deletes it at the end of the run; `false` when absent. */
  readonly stage?: boolean | undefined
  /** Public key of the workers, for an input that is staged or a URL that contains a secret. */
  readonly publicKey?: string | undefined
  /** Lines of a chunk, from 1 to 10,000; 200 when absent. */
  readonly size?: number | undefined
}

/** The purpose of an encrypted value, which cannot be decrypted for another one. */
const locationPlace = (run: string): string => `${run}/location`

const sealedLocation = (run: string, file: string, publicKey: string): RunInput => ({
  type: "sealed",
  location: seal(publicKey, locationPlace(run), Buffer.from(file)).toString("base64url")
})

const inputOf = Effect.fnUntraced(function* ({ file, publicKey, run, stage = false }: SubmitOptions) {
  const isSecret = mayContainSecret(file)
  if (!stage && !isSecret) return { type: "shared", location: file } satisfies RunInput
  if (publicKey === undefined) {
    const what = stage ? "a staged input" : `the URL ${nameOf(file)}, which has a password or a query,`
    const message = `${what} needs the public key of the workers`
    return yield* new InvalidOption({ message, option: "publicKey" })
  }
  const wrong = checkKey("the public key of the workers", publicKey)
  if (wrong !== undefined) return yield* new InvalidOption({ message: wrong.message, option: "publicKey" })
  return stage ? ({ type: "staged" } satisfies RunInput) : sealedLocation(run, file, publicKey)
})

/** Chunks that are submitted at once. */
const submitBatch = 100

/**
 * Submits a run to the workers. After a crash, submit it again with the same id: lines that are done are not sent
 * again.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Redacted from "effect/Redacted"
 * import { clientLayer, submit } from "@signalbox/bulk/cluster"
 *
 * const database = Redacted.make("postgres://user:password@database.example.com/bulk")
 * const program = submit({ run: "tokens-2026-11", kind: "import", file: "/shared/tokens.ndjson" }).pipe(
 *   Effect.provide(clientLayer(database))
 * )
 * ```
 */
export const submit = Effect.fnUntraced(function* (options: SubmitOptions) {
  const runs = yield* ClusterRuns
  const { columns = {}, failedIn, file, kind, run } = options
  const only = failedIn === undefined ? undefined : (yield* readFailedLines(failedIn)).lines
  const format = options.format ?? formatOf(file)
  const input = yield* inputOf(options)
  const submitted: SubmittedRun = {
    id: run,
    kind,
    file: nameOf(file),
    input,
    options: {
      format,
      columns,
      defaults: options.defaults ?? {},
      atLeastOnce: options.atLeastOnce ?? false,
      serviceHonoursKeys: options.serviceHonoursKeys ?? false,
      keyRetentionMs: yield* checkedRetention(options.keyRetentionMs),
      ...(failedIn === undefined ? {} : { failedIn })
    }
  }
  yield* runs.create(submitted)
  let planned = 0
  const { publicKey = "" } = options
  yield* planContents({ run, kind, file, format, columns, only, size: options.size }).pipe(
    Stream.grouped(submitBatch),
    Stream.runForEach(
      Effect.fnUntraced(function* (batch) {
        const rows = Arr.map(batch, ({ chunk, content }, at) => ({
          chunk,
          sealed: input.type === "staged" ? seal(publicKey, `${run}/${planned + at}`, content) : undefined
        }))
        yield* runs.addChunks(planned, rows)
        planned += batch.length
      })
    )
  )
  yield* runs.setPlanned(run)
  return yield* runs.status(run)
})

/**
 * Sends the failed lines of a finished run again, and the unknown ones where that does no harm.
 *
 * @example
 * ```ts
 * import { retryFailed } from "@signalbox/bulk/cluster"
 *
 * const program = retryFailed("tokens-2026-11")
 * ```
 */
export const retryFailed = Effect.fnUntraced(function* (
  run: string,
  options: { readonly atLeastOnce?: boolean | undefined } = {}
) {
  const runs = yield* ClusterRuns
  yield* runs.startPass(run, options.atLeastOnce)
  return yield* runs.status(run)
})
