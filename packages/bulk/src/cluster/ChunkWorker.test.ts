import { assert, describe, it } from "@effect/vitest"
import { Fault } from "@signalbox/test-harness"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { setImmediate } from "node:timers/promises"
import { clientLayer, makeGate, makeService, tempFolder, tokenLines, write } from "../../test/TestService.ts"
import { open } from "../run/Gate.ts"
import { planned, storedOptions } from "../../test/cluster/MemoryChunks.ts"
import type { Chunk } from "./Chunk.ts"
import { ChunkWorker, TakeoverTime } from "./ChunkWorker.ts"
import { type ChunkAttempt, ChunkStore, type TakenChunk } from "./ChunkStore.ts"
import { FleetLimit } from "./FleetLimit.ts"

/**
 * A worker whose calls are held after the first one, on a database with one chunk of 100 lines. Chunks of a smaller size: only the
 * second call is held.
 */
const makeHeldWorker = Effect.fnUntraced(function* (database: {
  hasChunk: boolean
  readonly size?: number
  readonly environment?: string
  /** Whether the chunk names the environment. */
  readonly isKnown?: boolean
  readonly claimedBy?: string
  readonly claims?: TakenChunk["claims"]
  /** By how much the clocks of the machine are set; the connection to the database is lost then. */
  step?: { readonly wallMs: number; readonly monotonicMs: number }
}) {
  const folder = yield* tempFolder
  const file = write(folder, "tokens.ndjson", tokenLines(100))
  const { size } = database
  const chunks = yield* planned(file, { run: "run", ...(size && { size }) })
  const { environment, fetch } = makeService()
  const recorded: Array<ChunkAttempt> = []
  const claims: Array<number> = []
  const [busy, release] = [makeGate(), makeGate()]
  const [almost, done] = [makeGate(), makeGate()]
  const lost = makeGate()
  const limited = { calls: 0, attempts: 0 }
  let sent = 0
  const held: typeof globalThis.fetch = async (request, init) => {
    if (++sent === 33) busy.open()
    if (sent > 1 && (size === undefined || sent === 2)) await release.opened
    // As over a network, each response arrives in a separate turn.
    await setImmediate()
    return fetch(request, init)
  }
  const takenOf = (chunk: Chunk, number: number): TakenChunk => ({
    number,
    chunk,
    input: { type: "shared", location: file },
    sealed: undefined,
    options: storedOptions,
    keysHonoured: false,
    pass: 1,
    earlier: [],
    claims: database.claims ?? [],
    claimedBy: database.claimedBy,
    isKeyExpired: false,
    environment: database.isKnown === true ? database.environment : undefined,
    attempts: 1
  })
  const left = chunks.map(takenOf)
  const idle = makeGate()
  let [mostAtOnce, idleTakes, lateExtensions] = [0, 0, 0]
  const runs = Layer.mock(ChunkStore, {
    take: () =>
      Effect.sync(() => {
        const next = left.shift()
        if (recorded.length === chunks.length && ++idleTakes === 2) idle.open()
        mostAtOnce = Math.max(mostAtOnce, chunks.length - left.length - recorded.length)
        return next
      }),
    claimEnvironment: (id) => Effect.succeed(database.environment ?? id),
    claim: (_, now) =>
      Effect.sync(() => {
        claims.push(now.flat().at(-1) ?? 0)
        return database.hasChunk
      }),
    extend: () =>
      Effect.suspend(() => {
        if (!database.hasChunk) lost.open()
        if (recorded.length === chunks.length) lateExtensions++
        return database.step === undefined ? Effect.succeed(database.hasChunk) : Effect.never
      }),
    record: (_, attempt) =>
      Effect.sync(() => {
        recorded.push(attempt)
        if (recorded.length === chunks.length - 1) almost.open()
        if (recorded.length === chunks.length) done.open()
      })
  })
  const layer = ChunkWorker.layer({ apiKey: Redacted.make("key") }).pipe(
    Layer.provide([
      runs,
      Layer.succeed(FleetLimit, {
        through: (call) => Effect.tap(call, () => Effect.sync(() => limited.calls++)),
        onAttempt: () => limited.attempts++
      }),
      Layer.succeed(TakeoverTime, "1 second"),
      clientLayer(environment.apiKey, held)
    ])
  )
  const scope = yield* Scope.make()
  const real = yield* Clock.Clock
  const clock: Clock.Clock = Object.assign(Object.create(real), {
    currentTimeMillisUnsafe: () => real.currentTimeMillisUnsafe() + (database.step?.wallMs ?? 0),
    monotonicTimeNanosUnsafe: () =>
      real.monotonicTimeNanosUnsafe() + BigInt(database.step?.monotonicMs ?? 0) * 1_000_000n
  })
  const worker = yield* Effect.provideService(Layer.buildWithScope(layer, scope), Clock.Clock, clock)
  const close = Scope.close(scope, Exit.void)
  yield* Effect.addFinalizer(() => Effect.andThen(Effect.sync(release.open), close))
  const { failed, progress } = yield* ChunkWorker.pipe(Effect.provideContext(worker))
  return {
    failed,
    progress,
    environment,
    recorded,
    claims,
    limited,
    busy,
    release,
    close,
    almost,
    done,
    idle,
    lost,
    lateExtensions: () => lateExtensions,
    mostAtOnce: () => mostAtOnce
  }
})

const shapeOf = ({ claims, isComplete, outcomes }: ChunkAttempt) => [isComplete, claims, outcomes.length]

describe("a worker", () => {
  it.live("records its lines in flight when it is closed, and sends no other line", () =>
    Effect.gen(function* () {
      const worker = yield* makeHeldWorker({ hasChunk: true })
      const { busy, claims, close, environment, limited, progress, recorded, release } = worker
      yield* Effect.promise(() => busy.opened)
      const closing = yield* Effect.forkChild(close, { startImmediately: true })
      release.open()
      yield* Fiber.join(closing)
      assert.deepStrictEqual(recorded.map(shapeOf), [[false, [], 33]])
      assert.lengthOf(environment.journal.entries(), 33)
      // The first line alone, then 40 at a time before they are sent.
      assert.deepStrictEqual(claims, [1, 41])
      assert.deepStrictEqual(limited, { calls: 33, attempts: 33 })
      assert.deepInclude(progress(), { chunks: 0, counts: { succeeded: 33, failed: 0, unknown: 0, invalid: 0 } })
    }).pipe(Effect.scoped)
  )

  it.live("has two chunks at once at most, while a line of the first one takes long", () =>
    Effect.gen(function* () {
      const { almost, done, mostAtOnce, release } = yield* makeHeldWorker({ hasChunk: true, size: 10 })
      yield* Effect.promise(() => almost.opened)
      release.open()
      yield* Effect.promise(() => done.opened)
      assert.strictEqual(mostAtOnce(), 2)
    }).pipe(Effect.scoped)
  )

  it.live("extends no lease of a chunk that is recorded", () =>
    Effect.gen(function* () {
      const { idle, lateExtensions, release } = yield* makeHeldWorker({ hasChunk: true })
      release.open()
      // A second passes between two takes, and four extensions of a lease.
      yield* Effect.promise(() => idle.opened)
      assert.strictEqual(lateExtensions(), 0)
    }).pipe(Effect.scoped)
  )

  it.live.each([
    [401, "Unauthorized"],
    [402, "PaymentRequired"],
    [403, "Forbidden"]
  ] as const)("fails when its API key is rejected with %s, after it has recorded the chunk", ([status, reason]) =>
    Effect.gen(function* () {
      const { close, environment, failed, recorded } = yield* makeHeldWorker({ hasChunk: true })
      environment.faults.add(Fault.status(status))
      const stopped = yield* Effect.flip(failed)
      assert.strictEqual(stopped.reason, reason)
      yield* close
      assert.deepStrictEqual(recorded.map(shapeOf), [[false, [], 0]])
    }).pipe(Effect.scoped)
  )

  it.live.each<readonly [string, { readonly wallMs: number; readonly monotonicMs: number }]>([
    ["was set back while the time passed", { wallMs: -3_600_000, monotonicMs: 2000 }],
    ["shows that the machine was suspended", { wallMs: 2000, monotonicMs: 0 }]
  ])("sends no other line without its database when the wall clock %s", ([, step]) =>
    Effect.gen(function* () {
      const database: Parameters<typeof makeHeldWorker>[0] = { hasChunk: true }
      const { busy, done, environment, recorded, release } = yield* makeHeldWorker(database)
      yield* Effect.promise(() => busy.opened)
      database.step = step
      release.open()
      yield* Effect.promise(() => done.opened)
      assert.deepStrictEqual(recorded.map(shapeOf), [[false, [], 33]])
      assert.lengthOf(environment.journal.entries(), 33)
    }).pipe(Effect.scoped)
  )

  it.live.each([
    [false, "when another worker has decided on another environment meanwhile"],
    [true, "when the environment of the run is another one"]
  ] as const)("reports its first line as unknown (known: %s) %s", ([isKnown]) =>
    Effect.gen(function* () {
      const database = { hasChunk: true, environment: "other", isKnown }
      const { close, environment, failed, recorded } = yield* makeHeldWorker(database)
      const stopped = yield* Effect.flip(failed)
      assert.match(
        stopped.message,
        /leads to environment \w+, and the run is for other\. Use a key of other(?:\. The run stopped; resume it afterwards)?$/u
      )
      yield* close
      assert.lengthOf(environment.journal.entries(), 1)
      assert.deepStrictEqual(
        recorded[0]?.outcomes.map(({ line, outcome, reason }) => [line, outcome, reason]),
        [[1, "unknown", "OtherEnvironment"]]
      )
    }).pipe(Effect.scoped)
  )

  it.live("sends no line of a chunk that a worker with another key may have sent to an unknown environment", () =>
    Effect.gen(function* () {
      const database = { hasChunk: true, claimedBy: "another" }
      const { close, environment, failed, recorded } = yield* makeHeldWorker({ ...database, claims: [[1]] })
      assert.match((yield* Effect.flip(failed)).message, /^run run may have sent lines with another API key/u)
      yield* close
      assert.lengthOf(environment.journal.entries(), 0)
      assert.deepStrictEqual(recorded.map(shapeOf), [[false, [[1]], 0]])
      const unsent = yield* makeHeldWorker(database)
      unsent.release.open()
      yield* Effect.promise(() => unsent.done.opened)
      assert.deepStrictEqual(unsent.recorded.map(shapeOf), [[true, [], 100]])
    }).pipe(Effect.scoped)
  )

  it.live("sends no other line of a chunk that another worker has", () =>
    Effect.gen(function* () {
      const database = { hasChunk: true }
      const { busy, done, environment, lost, recorded, release } = yield* makeHeldWorker(database)
      yield* Effect.promise(() => busy.opened)
      database.hasChunk = false
      yield* Effect.promise(() => lost.opened)
      release.open()
      yield* Effect.promise(() => done.opened)
      assert.deepStrictEqual(recorded.map(shapeOf), [[false, [], 33]])
      assert.lengthOf(environment.journal.entries(), 33)
    }).pipe(Effect.scoped)
  )
})

describe("a worker that cannot do its chunks", () => {
  it.effect("waits longer after each one in a row, and while it has no chunk or no database", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const note = (what: string) =>
        Effect.map(Clock.currentTimeMillis, (now) => void log.push(`${now / 1000} ${what}`))
      const unreachable = new SqlError({ reason: new ConnectionError({ cause: undefined }) })
      const deleted: TakenChunk = {
        number: 0,
        chunk: { run: "run", kind: "import", lines: 1, ranges: [], sha256: "" },
        input: { type: "staged" },
        sealed: undefined,
        options: storedOptions,
        keysHonoured: true,
        pass: 1,
        earlier: [],
        claims: [[1]],
        claimedBy: undefined,
        isKeyExpired: false,
        environment: undefined,
        attempts: 1
      }
      const empty: TakenChunk = {
        ...deleted,
        input: { type: "shared", location: "/nowhere" },
        chunk: { ...deleted.chunk, lines: 0, sha256: createHash("sha256").digest("hex") },
        claims: []
      }
      const broken: TakenChunk = {
        ...deleted,
        get claimedBy(): never {
          throw new Error("broken")
        }
      }
      const turns = [
        ...Array.from({ length: 7 }, () => unreachable),
        undefined,
        deleted,
        empty,
        empty,
        undefined,
        broken,
        ...Array.from({ length: 7 }, () => deleted)
      ]
      let isFirst = true
      const store = Layer.mock(ChunkStore, {
        take: () =>
          Effect.suspend(() => {
            const next = turns.shift()
            if (next instanceof SqlError) return Effect.andThen(note("database lost"), Effect.fail(next))
            return Effect.as(note(next === undefined ? "none" : "taken"), next)
          }),
        record: (_, { claims, isComplete, keysHonoured, outcomes, problem }) =>
          Effect.suspend(() => {
            const failed = isFirst
            isFirst = false
            if (failed) return Effect.andThen(note("not recorded"), Effect.fail(unreachable))
            return note(JSON.stringify([claims, isComplete, keysHonoured, outcomes, problem]))
          })
      })
      const { layer } = makeService()
      const scope = yield* Scope.make()
      const layers = Layer.mergeAll(store, Layer.succeed(FleetLimit, open), layer)
      const context = yield* Layer.buildWithScope(Layer.provide(ChunkWorker.layer({}), layers), scope)
      const worker = Context.get(context, ChunkWorker)
      for (let passed = 0; passed < 200; passed++) yield* TestClock.adjust("1 second")
      // In the middle of a pause, which ends then.
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(worker.progress(), {
        chunks: 2,
        counts: { succeeded: 0, failed: 0, unknown: 0, invalid: 0 },
        problem: "the staged input of run run was deleted"
      })
      const lost = [0, 1, 3, 7, 15, 31, 61].map((at) => `${at} database lost`)
      const failed = (at: number) => [
        `${at} taken`,
        `${at} [[[1]],false,true,[],"the staged input of run run was deleted"]`
      ]
      const empties = ["94 taken", "94 [[],true,true,[],null]", "94 taken", "94 [[],true,true,[],null]"]
      assert.deepStrictEqual(log.slice(0, 10), [...lost, "91 none", "92 taken", "92 not recorded"])
      assert.deepStrictEqual(log.slice(10, 15), [...failed(93).slice(1), ...empties])
      assert.deepStrictEqual(log.slice(15, 18), ["95 none", "96 taken", '96 [null,false,true,[],"broken"]'])
      assert.deepStrictEqual(log.slice(18), [97, 99, 103, 111, 127, 157, 187].flatMap(failed))
    })
  )

  it.effect("names a database that does not respond, and stops at once without it", () =>
    Effect.gen(function* () {
      const unreachable = new SqlError({ reason: new ConnectionError({ cause: undefined }) })
      const store = Layer.mock(ChunkStore, { take: () => Effect.fail(unreachable) })
      const layers = Layer.mergeAll(store, Layer.succeed(FleetLimit, open), makeService().layer)
      const worker = Context.get(yield* Layer.build(Layer.provide(ChunkWorker.layer({}), layers)), ChunkWorker)
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual(worker.progress().problem, "the database does not respond")
      // Without a further adjustment of the clock: no pause has to end first.
      yield* worker.drain
    }).pipe(Effect.scoped)
  )
})
