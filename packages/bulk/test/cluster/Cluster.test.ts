import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Environment, Fault } from "@signalbox/test-harness"
import { SqlClient } from "effect/sql/SqlClient"
import { DatabaseRuns } from "../../src/cluster.ts"
import type { LineRunOptions } from "../../src/index.ts"
import { join } from "node:path"
import { honoursKeys, openSwitches, tokenLines, tokensBySubscriber, write } from "../TestService.ts"
import { type Fleet, startFleet } from "./Fleet.ts"

const switches = { ...openSwitches, ...honoursKeys }

describe("a run of a database, with many workers", () => {
  let fleet: Fleet
  let environment: Environment

  const fileOf = (run: string): string => join(fleet.folder, `${run}.ndjson`)

  /** Submits a run of a separate file, by which it is found. */
  const start = (run: string, lines: number, options: Partial<LineRunOptions> = {}): Promise<string> => {
    const input = write(fleet.folder, `${run}.ndjson`, tokenLines(lines).replaceAll("user-", `${run}-`))
    return fleet.submit({ input, serviceHonoursKeys: true, ...options })
  }

  /** The idempotency keys of each line of a run that was sent, since an entry of the journal. */
  const keysOf = (run: string, where = environment, since = 0): ReadonlyMap<string, ReadonlyArray<string>> => {
    const keys = new Map<string, Array<string>>()
    for (const { idempotencyKey = "", path } of where.journal.entries().slice(since)) {
      if (path.includes(`/${run}-`)) keys.set(path, [...(keys.get(path) ?? []), idempotencyKey])
    }
    return keys
  }

  /** Asserts one outcome for every line, every effect once, and one key for each line, however often it was sent. */
  const verify = async (run: string, lines: number, where = environment, since = 0): Promise<void> => {
    const finished = await fleet.until(fileOf(run), ({ state }) => state === "finished")
    assert.deepStrictEqual(finished.counts, { succeeded: lines, failed: 0, unknown: 0, invalid: 0 })
    assert.deepStrictEqual(
      await fleet.report(fileOf(run)),
      Array.from({ length: lines }, (_, at) => ({ line: at + 1, outcome: "succeeded" }))
    )
    const tokens = [...tokensBySubscriber(where)].filter(([subscriber]) => subscriber.startsWith(`${run}-`))
    assert.lengthOf(tokens, lines)
    assert.isTrue(tokens.every(([, each]) => each.length === 1))
    assert.deepStrictEqual(
      [...keysOf(run, where, since)].filter(([, keys]) => new Set(keys).size > 1),
      []
    )
  }

  beforeAll(async () => {
    fleet = await startFleet(20)
    environment = fleet.fake.environment({ data: "empty", switches })
    await fleet.startWorkers(3, environment)
  })

  afterAll(() => fleet.close())

  it("survives the death of a worker and a restart of the database", async () => {
    await start("killed", 800)
    await fleet.until(fileOf("killed"), ({ counts }) => counts.succeeded >= 100)
    await fleet.endWorkers(1, "SIGKILL")
    await fleet.until(fileOf("killed"), ({ counts }) => counts.succeeded >= 300)
    await fleet.postgres.restart()
    await verify("killed", 800)
  })

  it("continues after all workers have stopped", async () => {
    // A request without a response: however slowly this test runs, the run is not finished when its workers stop.
    environment.faults.add(Fault.hang({ request: environment.journal.entries().length + 300 }))
    await start("stopped", 400)
    await fleet.until(fileOf("stopped"), ({ counts }) => counts.succeeded >= 60)
    const workers = fleet.workerCount()
    await fleet.endWorkers(workers, "SIGKILL")
    const killedAt = performance.now()
    const { counts, state } = await fleet.status(fileOf("stopped"))
    assert.isBelow(counts.succeeded, 400)
    assert.strictEqual(state, "running")
    await fleet.startWorkers(1, environment)
    await verify("stopped", 400)
    // Each dead worker had one or two chunks of 20 lines.
    const resent = [...keysOf("stopped")].flatMap(([path, keys]) => (keys.length > 1 ? [path] : []))
    assert.isAtMost(resent.length, workers * 2 * 20, resent.join(" "))
    // Documented: 40 s for locks of 35 s, which are shorter here.
    assert.isBelow(performance.now() - killedAt, 120_000)
  })

  it("starts no chunk after it is cancelled", async () => {
    await fleet.endWorkers(fleet.workerCount(), "SIGKILL")
    await start("cancelled", 100)
    await fleet.runtime.runPromise(DatabaseRuns.use((runs) => runs.cancel(fileOf("cancelled"))))
  })

  it("is for one environment: a worker with a key of another one sends nothing, or one line", async () => {
    const other = fleet.fake.environment({ seed: 99, data: "demo", events: 2, switches })
    const empty = fleet.fake.environment({ seed: 98, data: "empty", switches })
    await start("bound", 100)
    for (const wrong of [other, empty]) {
      await fleet.startWorkers(1, wrong)
      await fleet.workersEnded()
    }
    const { counts, problem } = await fleet.status(fileOf("bound"))
    assert.match(problem ?? "", /the API key leads to environment \w+, and the run is for \w+/u)
    assert.deepStrictEqual([counts.succeeded, counts.unknown], [0, 1])
    const writes = ({ journal }: Environment) => journal.entries().filter(({ method }) => method !== "GET").length
    assert.deepStrictEqual([writes(other), writes(empty)], [0, 1])
    await fleet.runtime.runPromise(DatabaseRuns.use((runs) => runs.cancel(fileOf("bound"))))
  })

  it("keeps a staged input encrypted until it is done, and then no more", async () => {
    const rows = Array.from({ length: 50 }, (_, at) => `row-${at},token-of-${at}\n`)
    const input = write(fleet.folder, "staged.csv", `subscriberId,deviceTokens\n${rows.join("")}`)
    const run = await fleet.submit({ input, defaults: { providerId: "fcm" }, stage: true })
    const staged = await fleet.databaseText()
    assert.notMatch(staged, /token-of-|row-\d/u)
    assert.include(staged, "\\\\x", "the input is staged")
    await fleet.startWorkers(1, environment)
    const { counts } = await fleet.until(run, ({ state }) => state === "finished")
    assert.strictEqual(counts.succeeded, 50)
    assert.strictEqual((await fleet.status(fileOf("cancelled"))).counts.succeeded, 0)
    const text = await fleet.databaseText()
    assert.notMatch(text, /token-of-|row-\d/u)
    assert.notInclude(text, "\\\\x", "a staged input is left")
  })

  it("loses nothing of a subscriber with 1,000 lines, on a service that loses concurrent appends", async () => {
    const racing = { ...switches, "credentials.concurrent": "lost-updates" } as const
    const other = fleet.fake.environment({ data: "empty", switches: racing })
    await fleet.endWorkers(fleet.workerCount(), "SIGKILL")
    await fleet.runtime.runPromise(SqlClient.use((sql) => sql`UPDATE signalbox_bulk_cluster SET environment = NULL`))
    const lines = tokenLines(1500)
      .split("\n")
      .map((line, at) => (at % 3 === 0 ? line : line.replace(/user-\d+/, "same")))
    // The last ones cannot share a request.
    const mixed = lines.map((line, at) =>
      at < 1400 ? line : line.replace('"]}', `"]},"integrationIdentifier":"${at}"`)
    )
    const file = write(fleet.folder, "same.ndjson", mixed.join("\n"))
    await fleet.submit({ input: file, serviceHonoursKeys: true })
    await fleet.startWorkers(3, other)
    const { counts } = await fleet.until(file, ({ state }) => state === "finished")
    assert.deepStrictEqual(counts, { succeeded: 1500, failed: 0, unknown: 0, invalid: 0 })
    assert.deepStrictEqual(
      (await fleet.report(file)).map(({ line }) => line).toSorted((one, next) => one - next),
      Array.from({ length: 1500 }, (_, at) => at + 1)
    )
    const stored = tokensBySubscriber(other)
    assert.deepStrictEqual(
      [stored.size, stored.get("same")?.length, new Set(stored.get("same")).size],
      [501, 1000, 1000]
    )
  })

  it("keeps to one rate limit, whatever the number of workers", async () => {
    await fleet.endWorkers(fleet.workerCount(), "SIGKILL")
    // Another environment has another database; a second PostgreSQL would take long to start.
    await fleet.runtime.runPromise(SqlClient.use((sql) => sql`UPDATE signalbox_bulk_cluster SET environment = NULL`))
    const limited = fleet.fake.environment({ data: "empty", switches: { ...switches, "rateLimit.plan": "free" } })
    await fleet.startWorkers(3, limited)
    await start("limited", 130)
    await verify("limited", 130, limited)
    const entries = limited.journal.entries()
    // The service accepts 110 at once and 20 in a second, so that a fleet without a common limit gets status 429.
    assert.deepStrictEqual(
      entries.filter(({ outcome }) => outcome._tag !== "Response" || outcome.status >= 300),
      []
    )
  })
})
