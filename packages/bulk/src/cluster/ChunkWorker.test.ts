import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { setImmediate } from "node:timers/promises"
import { clientLayer, makeGate, makeService, tempFolder, tokenLines, write } from "../../test/TestService.ts"
import { planChunks } from "../Chunk.ts"
import { open } from "../run/Gate.ts"
import { ChunkWorker } from "./ChunkWorker.ts"
import { type ChunkAttempt, ClusterRuns } from "./ClusterRuns.ts"
import { FleetLimit } from "./FleetLimit.ts"

const lane = { run: "run", pass: 1, lane: 0 }

/** A worker whose calls are held, on a database with the same chunk of 100 lines for everyone. */
const makeHeldWorker = Effect.gen(function* () {
  const folder = yield* tempFolder
  const file = write(folder, "tokens.ndjson", tokenLines(100))
  const [chunk] = yield* Stream.runCollect(planChunks({ run: lane.run, kind: "import", file }))
  if (chunk === undefined) return assert.fail("no chunk")
  const { environment, fetch } = makeService()
  const takes: Array<readonly [lane: number, which: string]> = []
  const recorded: Array<ChunkAttempt> = []
  const [busy, release] = [makeGate(), makeGate()]
  let sent = 0
  const held: typeof globalThis.fetch = async (request, init) => {
    if (++sent === 32) busy.open()
    await release.opened
    // As over a network, each response arrives in a separate turn.
    await setImmediate()
    return fetch(request, init)
  }
  const options = {
    format: "ndjson",
    columns: {},
    defaults: {},
    atLeastOnce: false,
    serviceHonoursKeys: false
  } as const
  const runs = Layer.mock(ClusterRuns, {
    take: (taker, which) =>
      Effect.sync(() => {
        takes.push([taker.lane, which])
        if (which === "own") return undefined
        return {
          number: 0,
          chunk,
          input: { type: "shared", location: file },
          sealed: undefined,
          options,
          keysHonoured: false,
          pass: 1,
          earlier: [],
          wasInDoubt: false,
          attempts: 1
        }
      }),
    record: (_, attempt) => Effect.sync(() => void recorded.push(attempt))
  })
  const layer = ChunkWorker.layer(undefined).pipe(
    Layer.provide([runs, Layer.succeed(FleetLimit, open), clientLayer(environment.apiKey, held)])
  )
  return { worker: Context.get(yield* Layer.build(layer), ChunkWorker), environment, takes, recorded, busy, release }
})

describe("a worker", () => {
  it.live("records the lines in flight of a lane that moves to another worker, and sends no other line", () =>
    Effect.gen(function* () {
      const { busy, environment, recorded, release, worker } = yield* makeHeldWorker
      const working = yield* Effect.forkChild(worker.doNext(lane))
      yield* Effect.promise(() => busy.opened)
      const moving = yield* Effect.forkChild(Fiber.interrupt(working), { startImmediately: true })
      release.open()
      yield* Fiber.join(moving)
      assert.deepStrictEqual(
        recorded.map(({ isComplete, isInDoubt, outcomes }) => [isComplete, isInDoubt, outcomes.length]),
        [[false, false, 32]]
      )
      assert.lengthOf(environment.journal.entries(), 32)
    }).pipe(Effect.scoped)
  )

  it.live("looks for a chunk that a dead worker left before it waits for the turn of a lane", () =>
    Effect.gen(function* () {
      const { busy, release, takes, worker } = yield* makeHeldWorker
      const first = yield* Effect.forkChild(worker.doNext(lane))
      yield* Effect.promise(() => busy.opened)
      const second = yield* Effect.forkChild(worker.doNext({ ...lane, lane: 1 }), { startImmediately: true })
      assert.deepStrictEqual(takes, [
        [0, "own"],
        [0, "any"],
        [1, "own"]
      ])
      release.open()
      assert.deepStrictEqual([yield* Fiber.join(first), yield* Fiber.join(second)], [true, true])
    }).pipe(Effect.scoped)
  )
})
