import { assert, describe } from "@effect/vitest"
import { it } from "../../test/It.ts"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { fork, clientLayer, makeTransport, page, type Respond } from "../../test/transport/Transport.ts"
import * as Timeouts from "../policies/Timeouts.ts"
import { Events } from "../services/Events.ts"
import { withInfo } from "./CallInfo.ts"

/** Calls with a wall clock that is set, by `step` milliseconds, when the first request is sent. */
const whenSet = Effect.fnUntraced(function* (step: number, respond: Respond, calls = 1) {
  const clock = yield* Clock.Clock
  let ahead = 0
  const wall: Clock.Clock = Object.assign(Object.create(clock), {
    currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + ahead,
    currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe() + BigInt(ahead) * 1_000_000n
  })
  const transport = makeTransport((sent, number) => {
    ahead = step
    return respond(sent, number)
  })
  const list = withInfo(Events.use((events) => events.list()))
  const program = Effect.all(Array.from({ length: calls }, () => list)).pipe(
    Effect.result,
    Effect.provideService(Timeouts.Timeouts, Timeouts.make({ call: "40 seconds" })),
    Effect.provide(clientLayer(transport)),
    Effect.provideService(Clock.Clock, wall),
    Effect.provideService(Random.Random, { nextDoubleUnsafe: () => 0, nextIntUnsafe: () => 0 })
  )
  const fiber = yield* fork(program)
  return { fiber, transport }
})

describe("a wall clock that is set during a call", () => {
  for (const step of [120_000, -3_600_000]) {
    it.effect(`by ${step / 1000} s prevents no retry and changes no duration`, function* () {
      const { fiber, transport } = yield* whenSet(step, (_, number) =>
        number === 1 ? new Response(null, { status: 503, headers: { "retry-after": "2" } }) : Response.json(page())
      )
      yield* TestClock.adjust("2 seconds")
      const result = yield* Fiber.join(fiber)
      assert.strictEqual(transport.sent.length, 2)
      assert.isTrue(result._tag === "Success")
      if (result._tag !== "Success") return
      const { attempts, durationMs } = result.success[0]?.call ?? { attempts: [], durationMs: -1 }
      assert.deepStrictEqual([durationMs, ...attempts.map((attempt) => attempt.durationMs)], [2000, 0, 0])
    })
    it.effect(`by ${step / 1000} s leaves the deadline where it was`, function* () {
      const { fiber } = yield* whenSet(
        step,
        () => new Response(null, { status: 503, headers: { "retry-after": "25" } })
      )
      yield* TestClock.adjust("25 seconds")
      const result = yield* Fiber.join(fiber)
      assert.isTrue(result._tag === "Failure" && result.failure.attempts.length === 2)
    })
    it.effect(`by ${step / 1000} s leaves the window of the rate limit where it was`, function* () {
      const limited = () => Response.json(page(), { headers: { "ratelimit-remaining": "0", "ratelimit-reset": "5" } })
      const { fiber, transport } = yield* whenSet(step, limited, 2)
      yield* TestClock.adjust(4999)
      assert.strictEqual(transport.sent.length, 1)
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "Success")
      assert.strictEqual(transport.sent.length, 2)
    })
  }
})

describe("a clock that is not the one of the timers", () => {
  const list = Events.use((events) => events.list())
  it.effect("ends a call whose deadline passed while its key was read, and sends nothing", function* () {
    const clock = yield* Clock.Clock
    let ahead = 0n
    const late: Clock.Clock = Object.assign(Object.create(clock), {
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe() + ahead
    })
    const apiKey = Effect.sync(() => {
      ahead = 61_000_000_000n
      return Redacted.make("key")
    })
    const transport = makeTransport(() => Response.json(page()))
    const error = yield* Effect.flip(list).pipe(
      Effect.provide(clientLayer(transport, { apiKey })),
      Effect.provideService(Clock.Clock, late)
    )
    assert.deepInclude(error.reason, {
      _tag: "Timeout",
      scope: "call",
      limitMs: 60_000,
      message: "not done within 60000 ms"
    })
    assert.deepStrictEqual([error.attempts.length, transport.sent.length], [0, 0])
    assert.include(error.advice, "Nothing was sent.")
  })
  it.effect("does not wait for the same window of a rate limit again", function* () {
    const clock = yield* Clock.Clock
    const waits: Array<unknown> = []
    const standing: Clock.Clock = Object.assign(Object.create(clock), {
      sleep: (duration: Duration.Duration) => Effect.sync(() => void waits.push(Duration.toMillis(duration)))
    })
    const headers = { "ratelimit-remaining": "0", "ratelimit-reset": "5" }
    const transport = makeTransport((_, number) => Response.json(page(), number === 1 ? { headers } : {}))
    yield* Effect.andThen(list, list).pipe(
      Effect.provideService(Timeouts.Timeouts, Timeouts.none),
      Effect.provideService(Random.Random, { nextDoubleUnsafe: () => 0, nextIntUnsafe: () => 0 }),
      Effect.provide(clientLayer(transport)),
      Effect.provideService(Clock.Clock, standing)
    )
    assert.deepStrictEqual(waits, [5000])
    assert.lengthOf(transport.sent, 2)
  })
})
