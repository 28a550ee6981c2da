/**
 * Runs behave the same with a journal on one machine, in a database, and in the storage of simulations.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as PgClient from "@effect/sql-pg/PgClient"
import { startPostgres, type Postgres } from "@signalbox/postgres/Postgres"
import { Fault } from "@signalbox/test-harness"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect } from "vitest"
import { ChunkWorker, databaseLayer, DatabaseRuns, makeInputKeys, workerLayer } from "../../src/cluster.ts"
import { ChunkStore } from "../../src/cluster/ChunkStore.ts"
import { FleetLimit } from "../../src/cluster/FleetLimit.ts"
import { embedded, type RunError, type RunServices, type RunStatus, type RunStore } from "../../src/index.ts"
import { makeGate, makeService, tempFolder, tokenLines, write, writesTo } from "../TestService.ts"
import { memoryChunks, storedOptions } from "./MemoryChunks.ts"

let postgres: Postgres

beforeAll(async () => {
  postgres = await startPostgres(join(tmpdir(), `bulk-stores-${process.pid}`))
})

afterAll(() => postgres.close())

const service = "http://service.test"

const stores = [
  ["with a journal", "journal", () => Effect.succeed<RunStore<RunServices>>(embedded)],
  [
    "in a database, with a worker",
    "database",
    (client: Layer.Layer<RunServices>) =>
      Effect.gen(function* () {
        const url = Redacted.make(postgres.url)
        yield* Layer.build(Layer.provide(workerLayer(url, { service }), client))
        return Context.get(yield* Layer.build(databaseLayer(url)), DatabaseRuns)
      })
  ],
  [
    "in memory, with a worker",
    "database",
    (client: Layer.Layer<RunServices>) =>
      Effect.gen(function* () {
        const store = Layer.succeed(ChunkStore, memoryChunks())
        const worker = Layer.provide(ChunkWorker.layer({}), FleetLimit.layer)
        yield* Layer.build(Layer.provide(worker, [store, client]))
        return Context.get(yield* Layer.build(Layer.provide(DatabaseRuns.layer(), store)), DatabaseRuns)
      })
  ]
] as const

describe.each(stores)("a run %s", (_, golden, storeOf) => {
  const open = Effect.gen(function* () {
    const { environment, layer } = makeService({ seed: 7 })
    const runs: RunStore<RunServices> = yield* storeOf(layer)
    /** Waits for the end of a run. */
    const done = (work: Effect.Effect<RunStatus, RunError, RunServices>) =>
      Effect.flatMap(work, ({ id }) =>
        Effect.delay(runs.status(id), "50 millis").pipe(
          // A chunk that cannot be done is tried again, for ever.
          Effect.tap(({ problem }) => (problem === undefined ? Effect.void : Effect.die(problem))),
          Effect.repeat({ until: ({ state }) => state === "finished" })
        )
      ).pipe(Effect.provide(layer))
    const failed = (work: Effect.Effect<unknown, RunError, RunServices>) =>
      Effect.flip(work).pipe(Effect.provide(layer))
    return { environment, layer, runs, done, failed, folder: yield* tempFolder }
  })

  it.live("is started once for one input, found by its file, listed, retried and deleted", () =>
    Effect.gen(function* () {
      const { done, environment, failed, folder, runs } = yield* open
      const input = write(
        folder,
        "tokens.ndjson",
        tokenLines(30).replaceAll("user-", `${folder}-`.replaceAll("/", "-"))
      )
      const start = runs.start("import", { input })
      environment.faults.add(Fault.status(422, { times: 1, body: { message: "no" } }))
      const first = yield* done(start)
      assert.deepStrictEqual(first.counts, { succeeded: 29, failed: 1, unknown: 0, invalid: 0 })
      const report = yield* Stream.runCollect(runs.report(input))
      assert.deepStrictEqual(
        report.map(({ line }) => line),
        Array.from({ length: 30 }, (_, at) => at + 1)
      )
      const wrong = report.find(({ outcome }) => outcome === "failed") ?? assert.fail("no line failed")
      const output = join(folder, "corrections.ndjson")
      assert.strictEqual(yield* runs.failedInput(input, output), 1)
      assert.strictEqual(
        readFileSync(output, "utf8"),
        `${readFileSync(input, "utf8").split("\n")[wrong.line - 1] ?? ""}\n`
      )

      const again = yield* failed(start)
      if (again._tag !== "RunFinished") return assert.fail(again._tag)
      assert.deepStrictEqual(yield* runs.status(again.journal), first)
      const sent = writesTo(environment).length
      const retried = yield* done(runs.retryFailed(input))
      assert.deepStrictEqual([retried.counts.succeeded, retried.pass, writesTo(environment).length - sent], [30, 2, 1])
      // With the key of the failure, the service would return it again.
      assert.strictEqual(new Set(writesTo(environment).map(({ idempotencyKey }) => idempotencyKey)).size, 31)
      assert.deepStrictEqual(
        (yield* runs.list).runs.filter(({ file }) => file === input),
        [retried]
      )
      yield* runs.remove(first.journal)
      assert.strictEqual((yield* failed(runs.status(input)))._tag, "RunNotFound")
      assert.strictEqual((yield* done(start)).counts.succeeded, 30)
    }).pipe(Effect.scoped)
  )

  it.live("refuses what its state does not allow, and says why", () =>
    Effect.gen(function* () {
      const { done, environment, folder, layer, runs } = yield* open
      const lines: Array<string> = []
      const shown = (text: string) =>
        text
          .replaceAll(`${folder}/`, "")
          .replaceAll(folder, "FOLDER")
          .replaceAll(/import-\d+T\d+Z-\w{8}/gu, "RUN")
      /** Notes the result of some work. */
      const attempt = (what: string, work: Effect.Effect<unknown, RunError, RunServices>) =>
        Effect.match(Effect.provide(work, layer), {
          onFailure: (error) => {
            const same = error._tag === "RunUnfinished" ? ` (same work: ${error.isSameWork})` : ""
            lines.push(shown(`${what}: ${error._tag}: ${error.message}${same}`))
          },
          onSuccess: (value) => void lines.push(shown(`${what}: ${JSON.stringify(value)}`))
        })
      const attemptStatus = (what: string, work: Effect.Effect<RunStatus, RunError, RunServices>) =>
        attempt(
          what,
          Effect.map(work, ({ counts, file, inDoubt, kind, maybeTwice, pass, state, total }) =>
            [
              kind,
              file,
              state,
              total,
              ...Object.values(counts),
              `in doubt ${inDoubt}`,
              `twice ${maybeTwice}`,
              pass
            ].join()
          )
        )
      const ofStore = folder.replaceAll("/", "-")
      const input = write(folder, "tokens.ndjson", `${tokenLines(4).replaceAll("user-", ofStore)}not json\n`)
      const report = (run: string) =>
        Effect.map(Stream.runCollect(runs.report(run)), (all) =>
          all.map(({ column, message, outcome, reason, status }) =>
            [outcome, reason, status, message, column].filter((part) => part !== undefined).join(", ")
          )
        )
      const reading = ["status", "pause", "cancel", "remove", "resume", "retryFailed"] as const
      const all = Effect.fnUntraced(function* (run: string) {
        for (const name of reading) yield* attempt(name, runs[name](run))
        yield* attempt("report", report(run))
        yield* attempt("failedInput", runs.failedInput(run, join(folder, "corrections.ndjson")))
      })
      lines.push("== no run")
      yield* all(input)
      lines.push("== invalid")
      const options = { input, validate: "during", keyRetentionMs: 60_000 } as const
      yield* attempt("start", runs.start("import", { ...options, validate: "before" }))
      yield* attempt("start", runs.start("import", { ...options, keyRetentionMs: -1 }))
      yield* attempt("start", runs.start("import", { ...options, columns: { token: "x" } }))
      yield* attempt("start", runs.start("mark", { ...options, input: "http://127.0.0.1:1/tokens.csv?signature=s" }))
      lines.push("== finished")
      environment.faults.add(Fault.status(422, { times: 1, body: { message: "no" } }))
      environment.faults.add(Fault.reset({ at: "committed", times: 1 }))
      yield* attemptStatus("start", done(runs.start("import", options)))
      for (const name of ["status", "pause", "cancel", "resume"] as const) yield* attemptStatus(name, runs[name](input))
      yield* attempt("start", runs.start("import", options))
      yield* attempt("start", runs.start("import", { ...options, keyRetentionMs: 1 }))
      lines.push(...(yield* report(input)).toSorted())
      yield* attempt("failedInput", runs.failedInput(input, join(folder, "corrections.ndjson")))
      yield* attempt("failedInput", runs.failedInput(input, join(folder, "corrections.ndjson")))
      yield* attemptStatus("retryFailed", done(runs.retryFailed(input)))
      yield* attemptStatus("retryFailed", done(runs.retryFailed(input, { atLeastOnce: true })))
      yield* attemptStatus("start again", done(runs.start("import", { ...options, again: true })))
      lines.push("== changed")
      write(folder, "tokens.ndjson", tokenLines(3).replaceAll("user-", ofStore))
      yield* attempt("failedInput", runs.failedInput(input, join(folder, "others.ndjson")))
      yield* attempt("start", runs.start("import", { input }))
      yield* attemptStatus("remove", runs.remove(input))
      lines.push("== unfinished, then cancelled")
      write(folder, "tokens.ndjson", tokenLines(3).replaceAll("user-", `${ofStore}-other-`))
      environment.faults.add(Fault.status(401, { times: "always" }))
      yield* Effect.exit(Effect.provide(runs.start("import", { input }), layer))
      yield* attempt("remove", runs.remove(input))
      yield* attempt("retryFailed", runs.retryFailed(input))
      yield* attempt("start", runs.start("import", { input }))
      yield* attempt("start", runs.start("import", { input, defaults: { providerId: "apns" } }))
      yield* attempt(
        "pause",
        Effect.map(runs.pause(input), ({ state }) => state)
      )
      yield* attempt(
        "cancel",
        Effect.map(runs.cancel(input), ({ state }) => state)
      )
      environment.faults.clear()
      yield* attemptStatus("start", done(runs.start("import", { input })))
      yield* attemptStatus("remove", runs.remove(input))
      for (const name of ["pause", "cancel", "resume", "retryFailed"] as const) yield* attempt(name, runs[name](input))
      yield* attempt("report", report(input))
      yield* attempt(
        "remove",
        Effect.map(runs.remove(input), ({ state }) => state)
      )
      yield* Effect.promise(() => expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`./${golden}.txt`))
    }).pipe(Effect.scoped)
  )

  it.live("is paused while lines are in flight, stays paused, and sends each line once when it is resumed", () =>
    Effect.gen(function* () {
      const { done, environment, failed, folder, layer, runs } = yield* open
      const lines = 2000
      const input = write(folder, "tokens.ndjson", tokenLines(lines).replaceAll("user-", folder.replaceAll("/", "-")))
      const underWay = makeGate()
      environment.journal.subscribe(({ number }) => number === 50 && underWay.open())
      const start = runs.start("import", { input })
      const running = yield* Effect.forkChild(Effect.provide(start, layer))
      yield* Effect.promise(() => underWay.opened)
      const pause = Effect.map(runs.pause(input), ({ state }) => state)
      assert.deepStrictEqual([yield* pause, yield* pause], ["paused", "paused"])
      yield* Fiber.join(running)
      const settled = yield* Effect.repeat(Effect.delay(runs.status(input), "50 millis"), {
        until: ({ inDoubt }) => inDoubt === 0
      })
      assert.deepStrictEqual([settled.state, settled.counts.succeeded], ["paused", writesTo(environment).length])
      assert.isBelow(settled.counts.succeeded, lines)
      const again = yield* failed(start)
      if (again._tag !== "RunUnfinished") return assert.fail(again._tag)
      assert.deepStrictEqual(yield* runs.status(again.journal), settled)
      assert.strictEqual((yield* failed(runs.remove(input)))._tag, "RunStateError")
      assert.strictEqual((yield* done(runs.resume(input))).counts.succeeded, lines)
      assert.lengthOf(writesTo(environment), lines)
      assert.strictEqual((yield* failed(runs.pause(input)))._tag, "RunStateError")
    }).pipe(Effect.scoped)
  )

  it.live("is not started again after it was cancelled with lines that were sent, but its rest is", () =>
    Effect.gen(function* () {
      const { done, environment, failed, folder, layer, runs } = yield* open
      const input = write(folder, "tokens.ndjson", tokenLines(2000).replaceAll("user-", folder.replaceAll("/", "-")))
      const underWay = makeGate()
      environment.journal.subscribe(({ number }) => number === 50 && underWay.open())
      const start = runs.start("import", { input })
      const running = yield* Effect.forkChild(Effect.provide(start, layer))
      yield* Effect.promise(() => underWay.opened)
      yield* runs.cancel(input)
      yield* Fiber.join(running)
      const again = yield* failed(start)
      assert.match(
        again.message,
        /^run \S+ of tokens\.ndjson was cancelled after it may have sent lines; bulk report --failed-input writes the rest to a separate file, or /u
      )
      const { counts, total = 0 } = yield* runs.status(input)
      const rest = join(folder, "rest.ndjson")
      const left = yield* runs.failedInput(input, rest)
      assert.strictEqual(left, total - counts.succeeded - counts.unknown)
      assert.isAbove(left, 0)
      assert.strictEqual((yield* done(runs.start("import", { input: rest }))).counts.succeeded, left)
      const sent = writesTo(environment).map(({ path }) => path)
      assert.strictEqual(new Set(sent).size, sent.length)
    }).pipe(Effect.scoped)
  )
})

describe("an input that is staged in a database", () => {
  const keys = makeInputKeys()

  /** The runs of a store in memory, which a worker with some key does. */
  const openStaged = Effect.fnUntraced(function* (publicKey: string | undefined, inputKey?: typeof keys.inputKey) {
    const { environment, layer } = makeService()
    const store = Layer.succeed(ChunkStore, memoryChunks())
    const worker = ChunkWorker.layer({ inputKey }).pipe(Layer.provide(FleetLimit.layer), Layer.provide([store, layer]))
    yield* Layer.build(worker)
    const runs = Context.get(yield* Layer.build(Layer.provide(DatabaseRuns.layer({ publicKey }), store)), DatabaseRuns)
    const input = write(yield* tempFolder, "tokens.ndjson", tokenLines(3))
    const until = (isReached: (status: RunStatus) => boolean) =>
      Effect.repeat(Effect.delay(runs.status("."), "20 millis"), { until: isReached })
    return { environment, input, runs, until }
  })

  it.live("needs the public key of the workers", () =>
    Effect.gen(function* () {
      for (const [key, message] of [
        [undefined, "a staged input needs the public key of the workers; make a pair with: signalbox bulk input-key"],
        ["k", "the public key of the workers is not a public key; make a pair with: signalbox bulk input-key"]
      ] as const) {
        const { input, runs } = yield* openStaged(key)
        const error = yield* Effect.flip(runs.start("import", { input, stage: true }))
        assert.deepStrictEqual([error._tag, error.message], ["InvalidOption", message])
      }
    }).pipe(Effect.scoped)
  )

  it.live("is sent by workers with its key only, and cannot be sent again when it is done", () =>
    Effect.gen(function* () {
      for (const [key, message] of [
        [undefined, "the worker has no input key for a staged input"],
        [makeInputKeys().inputKey, "the input key of the worker is not the one that the input was encrypted for"]
      ] as const) {
        const { environment, input, runs, until } = yield* openStaged(keys.publicKey, key)
        yield* runs.start("import", { input, stage: true })
        const { counts, problem } = yield* until((known) => known.problem !== undefined)
        assert.deepStrictEqual([problem, counts.succeeded], [message, 0])
        assert.lengthOf(writesTo(environment), 0)
      }
      const { environment, input, runs, until } = yield* openStaged(keys.publicKey, keys.inputKey)
      environment.faults.add(Fault.status(422))
      const { id } = yield* runs.start("import", { input, stage: true })
      assert.strictEqual((yield* until(({ state }) => state === "finished")).counts.failed, 1)
      assert.deepStrictEqual(
        [(yield* Effect.flip(runs.retryFailed(id))).message],
        [
          `run ${id} has no input any more: a staged input is deleted at the end of its run. Import the failed lines of ${input} that bulk report --failed-input writes`
        ]
      )
    }).pipe(Effect.scoped)
  )
})

describe("a submission that was interrupted", () => {
  it.live("is not continued with an input that has changed since, and stays paused", () =>
    Effect.gen(function* () {
      const [store, folder] = [memoryChunks(), yield* tempFolder]
      const interrupted = { ...store, setPlanned: () => Effect.die("the process ended") }
      const runsOf = (chunks: typeof store) =>
        DatabaseRuns.pipe(Effect.provide(Layer.provide(DatabaseRuns.layer(), Layer.succeed(ChunkStore, chunks))))
      const input = write(folder, "tokens.ndjson", tokenLines(3))
      yield* Effect.exit((yield* runsOf(interrupted)).start("import", { input }))
      const runs = yield* runsOf(store)
      yield* runs.pause(input)
      write(folder, "tokens.ndjson", tokenLines(300))
      const { _tag, message } = yield* Effect.flip(runs.resume(input))
      assert.strictEqual(_tag, "InputChanged")
      assert.match(message, /tokens\.ndjson has changed since run \S+ was started\. Restore it, or cancel the run$/u)
      assert.strictEqual((yield* runs.status(input)).state, "paused")
      write(folder, "tokens.ndjson", tokenLines(3))
      const { state, total } = yield* runs.resume(input)
      assert.deepStrictEqual([state, total], ["running", 3])
    }).pipe(Effect.scoped)
  )
})

describe.each([
  ["PostgreSQL", () => ChunkStore.layer.pipe(Layer.provide(PgClient.layer({ url: Redacted.make(postgres.url) })))],
  ["memory", () => Layer.sync(ChunkStore, memoryChunks)]
])("the storage of workers in %s", (_, layer) => {
  it.live("is for the first service and environment that claim it", () =>
    Effect.gen(function* () {
      const { claimEnvironment, claimService } = yield* ChunkStore
      assert.deepStrictEqual(
        [yield* claimService(service), yield* claimService("http://other.test")],
        [service, service]
      )
      const first = yield* claimEnvironment("first")
      assert.strictEqual(yield* claimEnvironment("other"), first)
    }).pipe(Effect.provide(Layer.fresh(layer())), Effect.scoped)
  )

  it.live("keeps a chunk with one worker at a time, and rejects its claims and outcomes once another one has it", () =>
    Effect.gen(function* () {
      const store = yield* ChunkStore
      const run = "fenced"
      const input = { type: "shared", location: "/nowhere" } as const
      // In the past, also by a clock that was set back a little.
      const options = { ...storedOptions, keyRetentionMs: -60_000 }
      yield* store.create({ id: run, kind: "import", file: "/nowhere", input, options }, () => Effect.void)
      const bytes = { ranges: [], lines: 100, sha256: "" }
      yield* store.addChunks(0, [{ chunk: { run, kind: "import", ...bytes } }])
      yield* store.setPlanned(run)
      const take = (leaseMs: number) => Effect.map(store.take(leaseMs), (taken) => taken ?? assert.fail("no chunk"))
      const first = yield* take(-1)
      assert.deepStrictEqual([first.claims, first.isKeyExpired], [[], false])
      const claims = [[2], [3, 40]]
      assert.isTrue(yield* store.claim(first, claims, [{ line: 1, outcome: "succeeded", pass: 1 }], "key"))
      const second = yield* take(60_000)
      assert.deepStrictEqual([second.claims, second.claimedBy, second.isKeyExpired], [claims, "key", true])
      assert.deepStrictEqual(second.earlier, [{ line: 1, outcome: "succeeded", pass: 0 }])
      assert.isUndefined(yield* store.take(60_000))
      assert.isFalse(yield* store.claim(first, [], [], undefined))
      assert.isFalse(yield* store.extend(first, 60_000))
      const attempt = { isComplete: true, claims, problem: undefined, keysHonoured: false }
      yield* store.record(first, { ...attempt, outcomes: [{ line: 2, outcome: "failed", pass: 1 }] })
      assert.strictEqual((yield* store.statuses(run))[0]?.counts.failed, 0)
      yield* store.record(second, { ...attempt, isComplete: false, outcomes: [] })
      const third = yield* take(60_000)
      assert.deepStrictEqual(third.claims, claims)
      yield* store.record(third, { ...attempt, claims: [], outcomes: [{ line: 3, outcome: "failed", pass: 1 }] })
      yield* store.startPass(run, undefined)
      assert.isFalse(yield* store.extend(third, 60_000))
      const fourth = yield* take(60_000)
      assert.deepStrictEqual([fourth.pass, fourth.claims], [2, []])
      yield* store.halt(run, "paused")
      assert.isFalse(yield* store.extend(fourth, -1))
      assert.isFalse(yield* store.claim(fourth, [[5]], [], undefined))
      yield* store.record(fourth, { ...attempt, isComplete: false, claims: [], outcomes: [] })
      assert.isUndefined(yield* store.take(60_000))
      yield* store.halt(run, undefined)
      assert.deepStrictEqual((yield* take(60_000)).claims, [])
      yield* store.halt(run, "cancelled")
    }).pipe(Effect.provide(Layer.fresh(layer())), Effect.scoped)
  )
})
