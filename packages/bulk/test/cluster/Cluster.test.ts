import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { createFake, type Environment, Fault } from "@signalbox/test-harness"
import { type FakeServer, listen } from "@signalbox/test-harness/server"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { clientLayer, ClusterRuns, type ClusterRunStatus, submit } from "../../src/cluster.ts"
import { honoursKeys, openSwitches, tokenLines, tokensBySubscriber, write } from "../TestService.ts"
import { type Postgres, startPostgres } from "./Postgres.ts"

const program = new URL("workerProcess.ts", import.meta.url).pathname

/** Installs and starts a PostgreSQL: `pnpm --filter @signalbox/bulk test:cluster`. */
describe.skipIf(process.env["SIGNALBOX_TEST_CLUSTER"] === undefined)("a run on three workers", () => {
  let folder: string
  let postgres: Postgres
  let environment: Environment
  let server: FakeServer
  let runtime: ReturnType<typeof makeRuntime>
  let workers: Array<ChildProcess> = []

  const makeRuntime = (url: string) => ManagedRuntime.make(clientLayer(Redacted.make(url)))

  const startWorker = (port: number): ChildProcess => {
    const child = spawn(process.execPath, [program, postgres.url, String(port), server.url, environment.apiKey], {
      stdio: ["ignore", "ignore", "inherit"]
    })
    workers.push(child)
    return child
  }

  const kill = async (worker: ChildProcess): Promise<void> => {
    if (worker.exitCode !== null || worker.signalCode !== null) return
    worker.kill("SIGKILL")
    await once(worker, "exit")
  }

  const killAll = async (): Promise<void> => {
    await Promise.all(workers.map(kill))
    workers = []
  }

  const status = (run: string) => runtime.runPromise(ClusterRuns.use((runs) => runs.status(run)))

  /** Waits for a state of the run; while the database restarts, it has none. */
  const until = async (run: string, isReached: (status: ClusterRunStatus) => boolean): Promise<ClusterRunStatus> => {
    while (true) {
      const known = await status(run).catch(() => undefined)
      if (known !== undefined && isReached(known)) return known
      await setTimeout(100)
    }
  }

  const start = async (run: string, lines: number): Promise<void> => {
    const file = write(folder, `${run}.ndjson`, tokenLines(lines).replaceAll("user-", `${run}-`))
    await runtime.runPromise(submit({ run, kind: "import", file, size: 50 }, { serviceHonoursKeys: true }))
  }

  /** Asserts one outcome for every line, and every effect once. */
  const verify = async (run: string, lines: number): Promise<void> => {
    const finished = await until(run, ({ state }) => state === "finished")
    assert.deepStrictEqual(finished.counts, { succeeded: lines, failed: 0, unknown: 0, invalid: 0 })
    const report = await runtime.runPromise(
      Stream.runCollect(Stream.unwrap(ClusterRuns.useSync((runs) => runs.report(run))))
    )
    assert.deepStrictEqual(
      report,
      Array.from({ length: lines }, (_, at) => ({ line: at + 1, outcome: "succeeded" }))
    )
    const tokens = [...tokensBySubscriber(environment)].filter(([subscriber]) => subscriber.startsWith(`${run}-`))
    assert.lengthOf(tokens, lines)
    assert.isTrue(tokens.every(([, each]) => each.length === 1))
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "bulk-cluster-"))
    postgres = await startPostgres(join(tmpdir(), `bulk-postgres-${process.pid}`))
    const fake = createFake()
    environment = fake.environment({ data: "empty", switches: { ...openSwitches, ...honoursKeys } })
    server = await listen(fake)
    runtime = makeRuntime(postgres.url)
    for (const port of [34431, 34432, 34433]) startWorker(port)
  }, 240_000)

  afterAll(async () => {
    await killAll()
    await runtime.dispose()
    await server.close()
    await postgres.close()
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  it("survives the death of one of them", async () => {
    await start("killed", 3000)
    await until("killed", ({ chunksDone }) => chunksDone >= 10)
    const [first] = workers
    if (first !== undefined) await kill(first)
    await verify("killed", 3000)
    startWorker(34431)
  }, 120_000)

  it("survives a restart of the database", async () => {
    await start("restarted", 3000)
    await until("restarted", ({ chunksDone }) => chunksDone >= 10)
    await postgres.restart()
    await verify("restarted", 3000)
  }, 120_000)

  it("continues after all of them have stopped", async () => {
    await start("stopped", 2000)
    await until("stopped", ({ chunksDone }) => chunksDone >= 5)
    await killAll()
    const { chunksDone, state } = await status("stopped")
    assert.isBelow(chunksDone, 40)
    assert.strictEqual(state, "running")
    for (const port of [34434, 34435]) startWorker(port)
    await verify("stopped", 2000)
  }, 120_000)

  it("reports lines that fail, and does no chunk after it is cancelled", async () => {
    environment.faults.add(Fault.status(422, { times: 2, body: { message: "no" } }))
    await start("failed", 200)
    const { counts } = await until("failed", ({ state }) => state === "finished")
    assert.deepStrictEqual(counts, { succeeded: 198, failed: 2, unknown: 0, invalid: 0 })
    await killAll()
    await start("cancelled", 500)
    await runtime.runPromise(ClusterRuns.use((runs) => runs.cancel("cancelled")))
    const requests = environment.journal.entries().length
    startWorker(34436)
    await start("after", 100)
    await verify("after", 100)
    assert.strictEqual((await status("cancelled")).chunksDone, 0)
    assert.isAtMost(environment.journal.entries().length, requests + 100)
  }, 120_000)
})
