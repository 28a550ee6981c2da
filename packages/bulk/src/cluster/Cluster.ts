/**
 * Workers on any number of machines that share runs, on `effect/cluster` and PostgreSQL.
 *
 * **When to use**: for runs that one machine cannot do in time, or must not stop with one machine. Needs
 * `@effect/sql-pg`, `@effect/platform-node` and a PostgreSQL database, which one machine does not.
 *
 * @since 0.1.0
 */
import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as ClusterWorkflowEngine from "effect/cluster/ClusterWorkflowEngine"
import * as RunnerAddress from "effect/cluster/RunnerAddress"
import type { ShardingConfig } from "effect/cluster/ShardingConfig"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import * as Activity from "effect/workflow/Activity"
import * as Workflow from "effect/workflow/Workflow"
import { doChunk, type PlanOptions, planChunks } from "../Chunk.ts"
import { type ClusterRunOptions, ClusterRuns } from "./ClusterRuns.ts"

/** One chunk of a run as a workflow: the engine does it, and again when its worker dies. */
const ChunkWorkflow = Workflow.make("signalbox/bulk/Chunk", {
  payload: { run: Schema.String, number: Schema.Int },
  idempotencyKey: ({ number, run }) => `${run}/${number}`
})

const sharding: Partial<ShardingConfig["Service"]> = {
  // A machine that gets no time for a while keeps its shards: with a lock of 3 s they moved while their lines were sent.
  shardLockExpiration: "35 seconds",
  refreshAssignmentsInterval: "1 second",
  // Chunks that a dead worker left are found by polling; so are the last ones of a run.
  entityMessagePollInterval: "1 second",
  runnerHealthCheckInterval: "5 seconds"
}

/** Where a worker is reached by the other workers. */
export interface WorkerAddress {
  readonly host: string
  readonly port: number
}

const chunksAtOnce = 4

/** With four chunks at once, a worker has 32 calls in flight at most. */
const callsOfChunk = 8

/** Chunks that a worker does at once. */
class ChunkSlots extends Context.Service<ChunkSlots, Semaphore.Semaphore>()("signalbox/bulk/cluster/ChunkSlots") {
  static readonly layer = Layer.effect(ChunkSlots, Semaphore.make(chunksAtOnce))
}

const patiently = Schedule.min([Schedule.exponential("1 second"), Schedule.spaced("30 seconds")])

/** Does a chunk that is not done. Once its lines are sent, only the recording is retried. */
const doTaken = Effect.fnUntraced(function* (run: string, number: number) {
  const runs = yield* ClusterRuns
  const taken = yield* runs.take(run, number)
  if (taken === undefined) return
  const { attempts, chunk, options } = taken
  const lines = yield* doChunk(chunk, { ...options, isRetry: attempts > 1, concurrency: callsOfChunk }).pipe(
    Effect.tapError(({ message }) => Effect.ignore(runs.note(run, number, message)))
  )
  yield* Effect.retry(runs.record(run, number, lines), patiently)
})

const workflowLayer = ChunkWorkflow.toLayer(
  Effect.fnUntraced(function* ({ number, run }) {
    const slots = yield* ChunkSlots
    yield* Activity.make({
      name: "send",
      execute: Effect.orDie(Effect.retry(Semaphore.withPermit(slots, doTaken(run, number)), patiently))
    })
  })
)

/** The database of a cluster. */
const databaseLayer = (url: Redacted.Redacted<string>) =>
  ClusterRuns.layer.pipe(Layer.provideMerge(PgClient.layer({ url })))

/**
 * A worker: does chunks of all runs of the database until its scope closes. Any number of workers can be added, removed or
 * killed at any time. A worker has 32 calls in flight at most.
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
 * const client = Client.layer({ apiKey: "key", baseUrl: "https://api.example.com" })
 * const database = Redacted.make("postgres://user:password@database.example.com/bulk")
 * const worker = workerLayer(database, { host: "10.0.0.7", port: 34431 }).pipe(
 *   Layer.provide(client),
 *   Layer.provide(FetchHttpClient.layer)
 * )
 * const program = Layer.launch(worker)
 * ```
 */
export const workerLayer = (url: Redacted.Redacted<string>, { host, port }: WorkerAddress) => {
  const address = Option.some(RunnerAddress.make(host, port))
  return workflowLayer.pipe(
    Layer.provide(ClusterWorkflowEngine.layer),
    Layer.provide(ChunkSlots.layer),
    Layer.provide(NodeClusterSocket.layer({ shardingConfig: { ...sharding, runnerAddress: address } })),
    Layer.provide(databaseLayer(url))
  )
}

/** What {@link submit} and `ClusterRuns` need, for a process that sends no lines itself. */
export const clientLayer = (url: Redacted.Redacted<string>) =>
  ClusterWorkflowEngine.layer.pipe(
    Layer.provide(NodeClusterSocket.layer({ clientOnly: true, shardingConfig: sharding })),
    Layer.provideMerge(databaseLayer(url))
  )

/** Chunks that are submitted at once. */
const submitBatch = 100

/**
 * Submits a run to the workers. After a crash, submit it again with the same id: what is done stays done.
 *
 * **Gotchas**: every worker reads the file under the path that is given here.
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
export const submit = Effect.fnUntraced(function* (plan: PlanOptions, options: ClusterRunOptions = {}) {
  const runs = yield* ClusterRuns
  const { file, kind, run } = plan
  yield* runs.create(run, kind, file, options)
  let planned = 0
  yield* planChunks(plan).pipe(
    Stream.grouped(submitBatch),
    Stream.runForEach(
      Effect.fnUntraced(function* (chunks) {
        const numbers = chunks.map((_, at) => planned + at)
        yield* runs.addChunks(planned, chunks)
        planned += chunks.length
        yield* Effect.forEach(numbers, (number) => ChunkWorkflow.execute({ run, number }, { discard: true }), {
          discard: true,
          concurrency: 10
        })
      })
    )
  )
  yield* runs.setPlanned(run)
  return yield* runs.status(run)
})
