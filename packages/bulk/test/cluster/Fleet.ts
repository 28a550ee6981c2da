/**
 * A PostgreSQL, a fake over HTTP, and worker processes that can be killed.
 */
import { createFake, type Environment } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"
import { startPostgres } from "@signalbox/postgres/Postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { databaseLayer, DatabaseRuns, makeInputKeys } from "../../src/cluster.ts"
import { ChunkSize } from "../../src/cluster/DatabaseRuns.ts"
import type { LineRunOptions, ReportLine, RunStatus } from "../../src/index.ts"

const program = new URL("workerProcess.ts", import.meta.url).pathname

/** Starts everything but the workers. */
export const startFleet = async (chunkSize: number) => {
  const folder = mkdtempSync(join(tmpdir(), "bulk-cluster-"))
  const postgres = await startPostgres(join(tmpdir(), `bulk-postgres-${process.pid}`))
  const fake = createFake()
  const server = await listen(fake)
  const keys = makeInputKeys()
  const runtime = ManagedRuntime.make(
    Layer.provide(databaseLayer(Redacted.make(postgres.url), keys), Layer.succeed(ChunkSize, chunkSize))
  )
  let workers: Array<ChildProcess> = []

  /** Starts workers with the API key of an environment. */
  const startWorkers = async (count: number, { apiKey }: Environment): Promise<void> => {
    for (let at = 0; at < count; at++) {
      const args = [program, postgres.url, server.url, apiKey, Redacted.value(keys.inputKey)]
      workers.push(spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] }))
    }
  }

  /** Ends some workers, the oldest first. */
  const endWorkers = async (count: number, signal: NodeJS.Signals): Promise<void> => {
    const ended = workers.slice(0, count)
    workers = workers.slice(count)
    await Promise.all(
      ended.map(async (worker) => {
        if (worker.exitCode !== null || worker.signalCode !== null) return
        worker.kill(signal)
        await once(worker, "exit")
      })
    )
  }

  /** Waits until all workers have ended without a signal. */
  const workersEnded = async (): Promise<void> => {
    const ended = workers
    workers = []
    await Promise.all(ended.map(async (worker) => (worker.exitCode === null ? once(worker, "exit") : undefined)))
  }

  /** Submits an import, and returns its id. */
  const submit = async (options: LineRunOptions): Promise<string> =>
    (await runtime.runPromise(DatabaseRuns.use((runs) => runs.start("import", options)))).id

  const status = (run: string): Promise<RunStatus> => runtime.runPromise(DatabaseRuns.use((runs) => runs.status(run)))

  /** Waits for a state of the run; while the database restarts, it has none. */
  const until = async (run: string, isReached: (status: RunStatus) => boolean): Promise<RunStatus> => {
    while (true) {
      const known = await status(run).catch(() => undefined)
      if (known !== undefined && isReached(known)) return known
      await setTimeout(100)
    }
  }

  const report = (run: string): Promise<ReadonlyArray<ReportLine>> =>
    runtime.runPromise(Stream.runCollect(Stream.unwrap(DatabaseRuns.useSync((runs) => runs.report(run)))))

  /** Everything that the database has, as text. */
  const databaseText = (): Promise<string> =>
    runtime.runPromise(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const tables = yield* sql<{ readonly name: string }>`
          SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`
        const rowTexts: Array<string> = []
        for (const { name } of tables) {
          const rows = yield* sql<{ readonly text: string }>`SELECT t::text AS text FROM ${sql(name)} AS t`
          rowTexts.push(...rows.map(({ text }) => text))
        }
        return rowTexts.join("\n")
      })
    )

  const close = async (): Promise<void> => {
    await endWorkers(workers.length, "SIGKILL")
    await runtime.dispose()
    await server.close()
    await postgres.close()
    rmSync(folder, { recursive: true, force: true })
  }

  return {
    folder,
    postgres,
    fake,
    server,
    runtime,
    startWorkers,
    endWorkers,
    workersEnded,
    workerCount: () => workers.length,
    submit,
    status,
    until,
    report,
    databaseText,
    close
  }
}

/** A fleet under test. */
export type Fleet = Awaited<ReturnType<typeof startFleet>>
