/**
 * A run on a cluster of worker processes, against a service that takes its time.
 */
import { databaseLayer, DatabaseRuns } from "@signalbox/bulk/cluster"
import { startPostgres } from "@signalbox/postgres/Postgres"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { startServer } from "./ServerProcess.ts"
import { linesOf, upserts } from "./UpsertWork.ts"

/** The time of one run. */
export interface ClusterRun {
  /** Lines a second, from the submission to the last outcome. */
  readonly perSecond: number
  /** Processor time of the workers for a thousand lines, in milliseconds. */
  readonly cpuOfThousand: number
}

/** The measurements with one worker, and with three. */
export interface ClusterRuns3 {
  readonly one: ClusterRun
  readonly three: ClusterRun
  /** The size of a chunk of 200 lines in the database, indexes included, in kilobytes. */
  readonly kilobytesOfChunk: number
}

const latencyMs = 200

const cpuOf = async (worker: ChildProcess): Promise<number> => {
  worker.send("cpu")
  const [milliseconds]: Array<number> = await once(worker, "message")
  return milliseconds ?? Number.NaN
}

const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)

/** Measures a run with one worker and a run with three, of as many lines each. */
export const measureCluster = async (lines: number): Promise<ClusterRuns3> => {
  const folder = mkdtempSync(join(tmpdir(), "bench-cluster-"))
  const postgres = await startPostgres(join(tmpdir(), `bench-postgres-${process.pid}`))
  const server = await startServer(new URL("processes/subscriberServer.ts", import.meta.url), [String(latencyMs)])
  const runtime = ManagedRuntime.make(databaseLayer(Redacted.make(postgres.url)))
  const script = new URL("processes/bulkWorker.ts", import.meta.url)
  const workers: Array<ChildProcess> = []
  const startWorker = () => workers.push(fork(script, [postgres.url, server.baseUrl]))
  const file = join(folder, "tokens.ndjson")
  writeFileSync(file, linesOf(upserts(lines)))
  const runLines = async (): Promise<ClusterRun> => {
    const cpuBefore = sum(await Promise.all(workers.map(cpuOf)))
    const startedAt = performance.now()
    const { id } = await runtime.runPromise(
      DatabaseRuns.use((runs) => runs.start("import", { input: file, again: true }))
    )
    while (true) {
      const { counts, state } = await runtime.runPromise(DatabaseRuns.use((runs) => runs.status(id)))
      if (state === "finished") {
        if (counts.succeeded !== lines) throw new Error(`not every line succeeded: ${JSON.stringify(counts)}`)
        break
      }
      await setTimeout(50)
    }
    const seconds = (performance.now() - startedAt) / 1000
    const cpu = sum(await Promise.all(workers.map(cpuOf))) - cpuBefore
    return { perSecond: lines / seconds, cpuOfThousand: (cpu * 1000) / lines }
  }
  const databaseBytes = () =>
    runtime.runPromise(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const [row] = yield* sql<{ readonly bytes: number }>`
          SELECT sum(pg_total_relation_size(oid))::float8 AS bytes FROM pg_class
          WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`
        return row?.bytes ?? Number.NaN
      })
    )
  /** Waits until every worker has done something. */
  const warm = async (): Promise<void> => {
    await setTimeout(5000)
    await runLines()
  }
  try {
    startWorker()
    await warm()
    const bytesBefore = await databaseBytes()
    const one = await runLines()
    startWorker()
    startWorker()
    await warm()
    const three = await runLines()
    const bytes = (await databaseBytes()) - bytesBefore
    return { one, three, kilobytesOfChunk: bytes / 1000 / ((3 * lines) / 200) }
  } finally {
    for (const worker of workers) worker.kill("SIGKILL")
    await runtime.dispose()
    server.close()
    await postgres.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
