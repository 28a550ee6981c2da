/**
 * Handing out chunks to workers of one PostgreSQL: by leases in the table of chunks, or by Effect's queue with references to
 * them. Both count the attempt in the row of the chunk, which decides what is recorded, because a queue delivers at least once.
 */
import { databaseLayer } from "@signalbox/bulk/cluster"
import { ChunkStore, type TakenChunk } from "@signalbox/bulk/internal/cluster/ChunkStore"
import { startPostgres } from "@signalbox/postgres/Postgres"
import * as Arr from "effect/Array"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PersistedQueue from "effect/persistence/PersistedQueue"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The cost of a chunk from its submission to its outcome, and of that the time until it was submitted. */
export interface Handover {
  readonly name: "leases" | "queue"
  readonly submittedMs: number
  readonly handedOutMs: number
  readonly cpuMs: number
}

const workers = 2
/** As many as `DatabaseRuns` submits at once. */
const atOnce = 100

const submitRun = Effect.fnUntraced(function* (id: string, chunks: number) {
  const store = yield* ChunkStore
  const options = { format: "ndjson", columns: {}, defaults: {}, sha256: id, sample: [] } as const
  const run = { id, kind: "import", file: id, input: { type: "shared", location: id } } as const
  const delivery = { atLeastOnce: false, serviceHonoursKeys: false, keyRetentionMs: 3_600_000 }
  yield* store.create({ ...run, options: { ...options, ...delivery } }, () => Effect.void)
  const ranges = [{ offset: 0, bytes: 20_000, firstLine: 1 }]
  const chunk = { run: id, kind: "import", lines: 200, ranges, sha256: id } as const
  for (const [first] of Arr.chunksOf(Arr.range(0, chunks - 1), atOnce)) {
    yield* store.addChunks(
      first,
      Arr.makeBy(atOnce, () => ({ chunk }))
    )
  }
  yield* store.setPlanned(id)
})

/** Records that every line succeeded. */
const finish = (taken: TakenChunk) => {
  const outcomes = Arr.makeBy(200, (at) => ({ line: at + 1, outcome: "succeeded" as const, pass: 1 }))
  const attempt = { outcomes, isComplete: true, claims: [], problem: undefined, keysHonoured: false }
  return ChunkStore.use((store) => store.record(taken, attempt))
}

/** Takes chunks until none is left. */
const byLeases = Effect.gen(function* () {
  const store = yield* ChunkStore
  for (let taken = yield* store.take(35_000); taken !== undefined; taken = yield* store.take(35_000)) {
    yield* finish(taken)
  }
})

const makeQueue = PersistedQueue.make({
  name: "chunks",
  schema: Schema.Struct({ run: Schema.String, number: Schema.Int }),
  maxAttempts: 1_000_000
})

/** The row of a chunk that the queue has delivered, unless it is done. */
const load = Effect.fnUntraced(function* (run: string, number: number) {
  const sql = yield* SqlClient
  const [row] = yield* sql<Omit<TakenChunk, "chunk" | "earlier"> & { readonly outcomes: unknown }>`
    UPDATE signalbox_bulk_chunks AS c SET attempts = c.attempts + 1 FROM signalbox_bulk_runs AS r
    WHERE c.run = ${run} AND c.number = ${number} AND NOT c.done AND r.id = c.run AND r.halted IS NULL
    RETURNING c.number, r.kind, r.input, r.options, r.keys_honoured AS "keysHonoured", r.pass,
      c.lines, c.ranges, c.sha256, c.csv, c.input AS sealed, c.outcomes, c.claims, c.claimed_by AS "claimedBy", c.attempts,
      (SELECT environment FROM signalbox_bulk_cluster) AS environment`
  if (row === undefined) return undefined
  const chunk = { run, kind: "import", lines: 200, ranges: [], sha256: run } as const
  return { ...row, chunk, earlier: [] }
})

const byQueue = (chunks: number) =>
  Effect.gen(function* () {
    const queue = yield* makeQueue
    const allDone = yield* Deferred.make<void>()
    let done = 0
    const takeOne = queue.take(({ number, run }) =>
      Effect.flatMap(load(run, number), (taken) => (taken === undefined ? Effect.void : finish(taken)))
    )
    const work = Effect.forever(
      Effect.andThen(
        takeOne,
        Effect.suspend(() => (++done === chunks ? Deferred.succeed(allDone, undefined) : Effect.void))
      )
    )
    yield* Effect.raceFirst(
      Deferred.await(allDone),
      Effect.all(
        Arr.makeBy(workers, () => work),
        { concurrency: workers, discard: true }
      )
    )
  })

const measure = Effect.fnUntraced(function* (name: Handover["name"], round: number, chunks: number) {
  const queue = yield* makeQueue
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  const run = `${name}-${round}`
  yield* submitRun(run, chunks)
  if (name === "queue") {
    const offer = (number: number) => queue.offer({ run, number }, { id: `${run}/${number}` })
    yield* Effect.forEach(Arr.range(0, chunks - 1), offer, { concurrency: atOnce, discard: true })
  }
  const submittedAt = performance.now()
  yield* name === "queue"
    ? byQueue(chunks)
    : Effect.all(
        Arr.makeBy(workers, () => byLeases),
        { concurrency: workers, discard: true }
      )
  const { system, user } = process.cpuUsage(cpuBefore)
  const found: Handover = {
    name,
    submittedMs: (submittedAt - startedAt) / chunks,
    handedOutMs: (performance.now() - submittedAt) / chunks,
    cpuMs: (system + user) / 1000 / chunks
  }
  return found
})

/** Measures both in turns; `chunks` is a multiple of 100. */
export const measureHandover = async (chunks: number, rounds: number): Promise<ReadonlyArray<Handover>> => {
  const postgres = await startPostgres(join(tmpdir(), `bench-handover-${process.pid}`))
  const queues = PersistedQueue.layer.pipe(
    Layer.provide(PersistedQueue.layerStoreSql({ lockExpiration: "35 seconds", lockRefreshInterval: "8 seconds" }))
  )
  const storage = Layer.merge(ChunkStore.layer, queues).pipe(
    Layer.provideMerge(databaseLayer(Redacted.make(postgres.url)))
  )
  const both = (round: number) => Effect.all([measure("leases", round, chunks), measure("queue", round, chunks)])
  try {
    // The first round warms both up.
    const found = Effect.map(Effect.forEach(Arr.range(0, rounds), both), ([, ...warm]) => warm.flat())
    return await Effect.runPromise(Effect.provide(found, storage))
  } finally {
    await postgres.close()
  }
}
