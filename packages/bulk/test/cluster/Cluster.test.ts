import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Environment, Fault } from "@signalbox/test-harness"
import * as Effect from "effect/Effect"
import { ClusterRuns, retryFailed, submit, type SubmitOptions } from "../../src/cluster.ts"
import { honoursKeys, openSwitches, tokenLines, tokensBySubscriber, write } from "../TestService.ts"
import { type Fleet, startFleet } from "./Fleet.ts"

const switches = { ...openSwitches, ...honoursKeys }

describe("a run on a cluster", () => {
  let fleet: Fleet
  let environment: Environment

  const start = async (run: string, lines: number, options: Partial<SubmitOptions> = {}): Promise<void> => {
    const file = write(fleet.folder, `${run}.ndjson`, tokenLines(lines).replaceAll("user-", `${run}-`))
    await fleet.runtime.runPromise(
      submit({ run, kind: "import", file, size: 20, serviceHonoursKeys: true, ...options })
    )
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
    const finished = await fleet.until(run, ({ state }) => state === "finished")
    assert.deepStrictEqual(finished.counts, { succeeded: lines, failed: 0, unknown: 0, invalid: 0 })
    assert.deepStrictEqual(
      await fleet.report(run),
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
    fleet = await startFleet()
    environment = fleet.fake.environment({ data: "empty", switches })
    await fleet.startWorkers(3, environment)
  })

  afterAll(() => fleet.close())

  it("survives the death of a worker and a restart of the database", async () => {
    await start("killed", 800)
    await fleet.until("killed", ({ chunksDone }) => chunksDone >= 5)
    await fleet.endWorkers(1, "SIGKILL")
    await fleet.until("killed", ({ chunksDone }) => chunksDone >= 15)
    await fleet.postgres.restart()
    await verify("killed", 800)
  })

  it("continues after all workers have stopped", async () => {
    // A request without a response: however slowly this test runs, the run is not finished when its workers stop.
    environment.faults.add(Fault.hang({ request: environment.journal.entries().length + 300 }))
    await start("stopped", 400)
    await fleet.until("stopped", ({ chunksDone }) => chunksDone >= 3)
    const workers = fleet.workerCount()
    await fleet.endWorkers(workers, "SIGKILL")
    const killedAt = performance.now()
    const { chunksDone, state } = await fleet.status("stopped")
    assert.isBelow(chunksDone, 20)
    assert.strictEqual(state, "running")
    await fleet.startWorkers(1, environment)
    await verify("stopped", 400)
    // Each dead worker had one or two chunks of 20 lines.
    const resent = [...keysOf("stopped").values()].filter(({ length }) => length > 1)
    assert.isAtMost(resent.length, workers * 2 * 20)
    // Documented: 40 s for locks of 35 s, which are shorter here.
    assert.isBelow(performance.now() - killedAt, 120_000)
  })

  it("retries failed lines, and starts no chunk after it is cancelled", async () => {
    environment.faults.add(Fault.status(422, { times: 2, body: { message: "no" } }))
    const report = write(fleet.folder, "report.csv", "line,outcome\n7,failed\n90,succeeded\n95,not-tried\n")
    await start("failed", 100)
    const { counts } = await fleet.until("failed", ({ state }) => state === "finished")
    assert.deepStrictEqual(counts, { succeeded: 98, failed: 2, unknown: 0, invalid: 0 })
    const failed = (await fleet.report("failed")).filter(({ outcome }) => outcome === "failed")
    assert.deepStrictEqual(
      failed.map(({ reason, status }) => [reason, status]),
      [
        ["Rejected", 422],
        ["Rejected", 422]
      ]
    )
    const before = environment.journal.entries().length
    await fleet.runtime.runPromise(retryFailed("failed"))
    await verify("failed", 100, environment, before)
    assert.deepStrictEqual(
      [...keysOf("failed", environment, before).values()].map(({ length }) => length),
      [1, 1]
    )
    const refused = await fleet.runtime.runPromise(Effect.flip(retryFailed("stopped-typo")))
    assert.strictEqual(refused.message, "the database has no run stopped-typo")

    await start("some", 100, { failedIn: report })
    const some = await fleet.until("some", ({ state }) => state === "finished")
    assert.deepStrictEqual([some.lines, some.counts.succeeded], [2, 2])
    assert.deepStrictEqual(
      (await fleet.report("some")).map(({ line }) => line),
      [7, 95]
    )

    await fleet.endWorkers(fleet.workerCount(), "SIGKILL")
    await start("cancelled", 100)
    await fleet.runtime.runPromise(ClusterRuns.use((runs) => runs.cancel("cancelled")))
  })

  it("leaves a chunk with a lane of an earlier pass, which could still be running", async () => {
    const runs = await fleet.runtime.runPromise(ClusterRuns)
    const [run, lane] = ["passes", 0]
    const [first, second] = await fleet.runtime.runPromise(
      Effect.gen(function* () {
        const options = { format: "ndjson", columns: {}, defaults: {}, atLeastOnce: false } as const
        const input = { type: "shared", location: "/nowhere" } as const
        yield* runs.create({
          id: run,
          kind: "import",
          file: "/nowhere",
          input,
          options: { ...options, serviceHonoursKeys: false }
        })
        const bytes = { offset: 0, bytes: 0, firstLine: 1, lines: 1, sha256: "" }
        yield* runs.addChunks(0, [{ chunk: { run, kind: "import", file: "", ...bytes } }])
        yield* runs.setPlanned(run)
        const taken = yield* runs.take({ run, pass: 1, lane }, "any")
        if (taken === undefined) return assert.fail("no chunk")
        yield* runs.record(taken, {
          outcomes: [{ line: 1, outcome: "failed", pass: 1 }],
          isComplete: true,
          isInDoubt: false,
          problem: undefined,
          keysHonoured: false
        })
        yield* runs.startPass(run, undefined)
        return [yield* runs.take({ run, pass: 1, lane }, "any"), yield* runs.take({ run, pass: 2, lane }, "any")]
      })
    )
    assert.isUndefined(first)
    assert.deepStrictEqual([second?.pass, second?.wasInDoubt], [2, false])
  })

  it("keeps a staged input encrypted until it is done, and then no more", async () => {
    const { publicKey } = fleet.keys
    await fleet.runtime.runPromise(
      submit({
        run: "staged",
        kind: "import",
        file: write(
          fleet.folder,
          "staged.csv",
          `subscriberId,deviceTokens\n${Array.from({ length: 50 }, (_, at) => `staged-${at},token-of-${at}\n`).join("")}`
        ),
        size: 20,
        defaults: { providerId: "fcm" },
        stage: true,
        publicKey
      })
    )
    const staged = await fleet.databaseText()
    assert.notMatch(staged, /token-of-|staged-\d/u)
    assert.include(staged, "\\\\x", "the input is staged")
    await fleet.startWorkers(1, environment)
    const { counts } = await fleet.until("staged", ({ state }) => state === "finished")
    assert.strictEqual(counts.succeeded, 50)
    assert.strictEqual((await fleet.status("cancelled")).chunksDone, 0)
    const text = await fleet.databaseText()
    assert.notMatch(text, /token-of-|staged-\d/u)
    assert.notInclude(text, "\\\\x", "a staged input is left")
  })

  it("keeps to one rate limit, whatever the number of workers", async () => {
    await fleet.endWorkers(fleet.workerCount(), "SIGKILL")
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
