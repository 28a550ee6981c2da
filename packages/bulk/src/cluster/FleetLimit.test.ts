import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { ChunkStore, type ServiceLimit } from "./ChunkStore.ts"
import { FleetLimit, paceOf } from "./FleetLimit.ts"

const workers = 3
const callsAtOnce = 8

/** Runs workers that call as often as they may, and returns the times of all requests. */
const requestTimes = Effect.fnUntraced(function* (stated: ServiceLimit, forMs: number, attempts = 1) {
  let known: ServiceLimit | undefined
  let nextTurnAt = -Infinity
  const runs = Layer.mock(ChunkStore, {
    serviceLimit: Effect.sync(() => known),
    setServiceLimit: (limit) =>
      Effect.sync(() => {
        known = limit
      }),
    takeTurn: (forMs) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const at = Math.max(now, nextTurnAt)
        nextTurnAt = at + forMs
        return at - now
      })
  })
  const times: Array<number> = []
  const headers = {}
  const fleet = Effect.forEach(
    Array.from({ length: workers }),
    () =>
      Effect.gen(function* () {
        const gate = yield* FleetLimit
        const attempt = Effect.fnUntraced(function* (number: number) {
          const at = yield* Clock.currentTimeMillis
          times.push(at)
          yield* Effect.sleep("50 millis")
          const { limit, windowMs } = stated
          const made = { number, startedAt: at, durationMs: 50, delayMs: 0, outcome: "success" } as const
          gate.onAttempt(
            made,
            headers,
            limit === undefined ? undefined : { limit, policy: `${limit};w=${windowMs / 1000}`, observedAt: at }
          )
        })
        const call = Effect.forEach(Array.from({ length: attempts }), (_, index) => attempt(index + 1))
        yield* Effect.forEach(Array.from({ length: callsAtOnce }), () => Effect.forever(gate.through(call)), {
          concurrency: "unbounded"
        })
      }).pipe(Effect.provide(Layer.fresh(FleetLimit.layer))),
    { concurrency: "unbounded" }
  ).pipe(Effect.provide(runs))
  const fiber = yield* Effect.forkChild(fleet, { startImmediately: true })
  for (let passed = 0; passed < forMs; passed += 50) yield* TestClock.adjust("50 millis")
  yield* Fiber.interrupt(fiber)
  return times
})

/** The most calls in any window, wherever it starts. */
const mostInWindow = (times: ReadonlyArray<number>, windowMs: number): number =>
  Math.max(...times.map((from, at) => times.slice(at).filter((time) => time < from + windowMs).length))

describe("the limit of a fleet", () => {
  for (const stated of [
    { limit: 20, windowMs: 1000 },
    { limit: 100, windowMs: 5000 },
    { limit: 400, windowMs: 5000 },
    { limit: 600, windowMs: 60_000 }
  ]) {
    it.effect(`is not exceeded in any window: ${stated.limit} in ${stated.windowMs / 1000} s`, () =>
      Effect.gen(function* () {
        const forMs = stated.windowMs * 3
        const times = yield* requestTimes(stated, forMs)
        assert.isAtMost(mostInWindow(times, stated.windowMs), stated.limit)
        // A fleet that does nothing would pass, too.
        assert.isAtLeast(times.length, Math.floor(((forMs - 3000) / stated.windowMs) * stated.limit * 0.75))
      })
    )
  }

  it.effect("is not exceeded where every call is retried", () =>
    Effect.gen(function* () {
      const stated = { limit: 100, windowMs: 5000 }
      const times = yield* requestTimes(stated, stated.windowMs * 5, 2)
      assert.isAtMost(mostInWindow(times, stated.windowMs), stated.limit)
      assert.isAtLeast(times.length, stated.limit * 4)
    })
  )

  it.effect("is unset where the service states no limit", () =>
    Effect.gen(function* () {
      const times = yield* requestTimes({ limit: undefined, windowMs: 0 }, 5000)
      assert.isAtLeast(times.length, 1000)
    })
  )

  it("is used in some fifty parts", () => {
    assert.deepStrictEqual(paceOf({ limit: 1, windowMs: 1000 }), { block: 1, perRequestMs: 1100 })
    assert.strictEqual(paceOf({ limit: 5000, windowMs: 60_000 }).block, 100)
  })

  it.effect("is shared through the database: what a worker reads, learns and takes, and when it waits", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      let stored: ServiceLimit | undefined
      const note = (what: string) =>
        Effect.map(Clock.currentTimeMillis, (now) => void log.push(`${(now / 1000).toFixed(2)} ${what}`))
      const store = Layer.mock(ChunkStore, {
        serviceLimit: Effect.map(note("read"), () => stored),
        setServiceLimit: (limit) => {
          stored = limit
          return note(`learn ${limit.limit} in ${limit.windowMs}`)
        },
        takeTurn: (forMs) => Effect.as(note(`take ${Math.round(forMs)}`), forMs === 1000 ? 250 : 0),
        hold: (forMs) => note(`hold ${forMs}`)
      })
      const gate = yield* Effect.provide(FleetLimit, Layer.provide(FleetLimit.layer, store))
      const request = Effect.fnUntraced(function* (
        headers: Readonly<Record<string, string>> | undefined,
        limit?: number,
        { attempts = 1, status = 200 } = {}
      ) {
        const made = { status, startedAt: 0, durationMs: 50, delayMs: 0, outcome: "success" } as const
        const stated = limit === undefined ? undefined : { limit, policy: `${limit};w=5`, observedAt: 0 }
        const call = Effect.sync(() => {
          for (let number = 1; number <= attempts; number++) gate.onAttempt({ ...made, number }, headers, stated)
        })
        const fiber = yield* Effect.forkChild(Effect.andThen(gate.through(call), note("sent")))
        yield* TestClock.adjust("1 second")
        yield* Fiber.join(fiber)
      })
      // Without a response, nothing is learned.
      yield* request(undefined)
      yield* request({})
      yield* request({})
      yield* TestClock.adjust("5 seconds")
      yield* request({}, 100)
      yield* request({}, 100)
      yield* request({ "retry-after": "7" }, 100, { status: 429 })
      yield* request({ "retry-after": "soon" }, 100, { status: 429, attempts: 5 })
      yield* request({ "retry-after": "7" }, 100)
      yield* request({}, 200)
      yield* request({}, 200)
      assert.deepStrictEqual(log, [
        "0.00 read",
        "0.00 take 1000",
        "0.25 read",
        "0.25 sent",
        "1.00 read",
        "1.00 take 1000",
        "1.25 read",
        "1.25 learn undefined in 0",
        "1.25 sent",
        "2.00 sent",
        "8.00 read",
        "8.00 learn 100 in 5000",
        "8.00 sent",
        "9.00 take 105",
        "9.00 sent",
        "10.00 take 105",
        "10.00 sent",
        "11.00 hold 7000",
        "11.00 take 105",
        "11.00 sent",
        // The retries used three requests more than were taken.
        "12.00 take 263",
        "12.00 sent",
        "13.00 read",
        "13.00 take 105",
        "13.00 learn 200 in 5000",
        "13.00 sent",
        "14.00 take 105",
        "14.00 sent"
      ])
    })
  )
})
