import { assert, describe, it } from "@effect/vitest"
import { Fault } from "@signalbox/test-harness"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { doChunk, planChunks, type ReportLine } from "../../src/index.ts"
import { honoursKeys, makeService, tempFolder, tokenLines, tokensBySubscriber, write } from "../TestService.ts"

/** A generator of numbers from 0 to below a limit, the same for the same seed. */
const randomOf = (seed: number) => {
  // Neighbouring seeds must not start alike.
  let state = Math.imul(seed, 0x9e_37_79_b1) >>> 0
  return (limit: number): number => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return Math.floor((state / 2 ** 32) * limit)
  }
}

const faults = [
  () => Fault.reset({ at: "received", times: 1 }),
  () => Fault.reset({ at: "committed", times: 1 }),
  () => Fault.status(422, { times: 1, body: { message: "no" } }),
  () => Fault.status(500, { times: 1 })
]

/** Does a chunk under faults, on workers that die at random requests, and checks its outcomes against the service. */
const scenario = Effect.fnUntraced(function* (seed: number) {
  const random = randomOf(seed)
  const keysAreHonoured = random(2) === 0
  const lines = 1 + random(12)
  const { environment, layer } = makeService(keysAreHonoured ? { switches: honoursKeys } : {})
  const folder = yield* tempFolder
  const file = write(folder, "tokens.ndjson", tokenLines(lines))
  const [chunk] = yield* Stream.runCollect(planChunks({ run: `run-${seed}`, kind: "import", file, size: 100 }))
  if (chunk === undefined) return assert.fail("no chunk")
  for (let count = random(4); count > 0; count--)
    environment.faults.add((faults[random(faults.length)] ?? assert.fail)())
  const deaths = random(3)
  let report: ReadonlyArray<ReportLine> | undefined
  for (let attempt = 0; report === undefined; attempt++) {
    const died = yield* Deferred.make<void>()
    const seen = environment.journal.entries().length
    const last = seen + 1 + random(lines)
    const stop = environment.journal.subscribe(({ number }) => {
      if (attempt < deaths && number >= last) Deferred.doneUnsafe(died, Effect.void)
    })
    const options = { isRetry: attempt > 0, concurrency: 1 + random(4), serviceHonoursKeys: keysAreHonoured }
    const work = yield* Effect.forkChild(doChunk(chunk, options).pipe(Effect.provide(layer)))
    const exit = yield* Effect.raceFirst(
      Fiber.await(work),
      Effect.andThen(Deferred.await(died), Effect.as(Fiber.interrupt(work), undefined))
    )
    stop()
    if (exit !== undefined && Exit.isSuccess(exit)) report = exit.value
    assert.isBelow(attempt, 10)
  }
  const applied = tokensBySubscriber(environment)
  const place = (line: number) => `seed ${seed}, line ${line}`
  assert.deepStrictEqual(
    report.map(({ line }) => line),
    Array.from({ length: lines }, (_, at) => at + 1),
    `seed ${seed}: one outcome for every line`
  )
  for (const { line, mayHaveBeenAppliedTwice, outcome } of report) {
    const times = applied.get(`user-${line}`)?.length ?? 0
    if (keysAreHonoured || mayHaveBeenAppliedTwice !== true) assert.isAtMost(times, 1, place(line))
    if (outcome === "succeeded") assert.isAtLeast(times, 1, `${place(line)} is claimed as applied`)
    if (outcome === "failed") assert.strictEqual(times, 0, `${place(line)} is claimed as not applied`)
  }
  return report.map(({ outcome }) => outcome)
})

describe("a chunk on workers that die, under faults", () => {
  it.live("claims only what the service did, in 200 scenarios", () =>
    Effect.gen(function* () {
      const outcomes = new Set<string>()
      for (let seed = 1; seed <= 200; seed++) for (const outcome of (yield* scenario(seed)) ?? []) outcomes.add(outcome)
      // Scenarios in which nothing goes wrong would pass, too.
      assert.sameMembers([...outcomes], ["succeeded", "failed", "unknown"])
    }).pipe(Effect.scoped)
  )
})
