import { assert, describe } from "@effect/vitest"
import { it } from "../../test/It.ts"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { CallClock } from "./CallClock.ts"
import { limited } from "./TimeLimit.ts"

/** An effect that never ends, and records that it was interrupted. */
const endless = (events: Array<string>) =>
  Effect.onInterrupt(Effect.never, () => Effect.sync(() => void events.push("interrupted")))

const late = () => Effect.succeed("late")

describe("the clock of calls", () => {
  it.effect("is the clock that the program provides", function* () {
    assert.strictEqual(CallClock.key, Clock.Clock.key)
    assert.isTrue(Object.is(yield* CallClock, yield* Clock.Clock))
  })

  it.live("returns the time of the platform, where the program provides none", () =>
    Effect.gen(function* () {
      const { currentTimeNanosUnsafe, monotonicTimeNanosUnsafe } = yield* CallClock
      const started = monotonicTimeNanosUnsafe()
      const difference = currentTimeNanosUnsafe() - (yield* Clock.currentTimeNanos)
      // Two readings of one wall clock: less than the time after which a new setting of that clock is followed.
      assert.isBelow(Math.abs(Number(difference)), 2e9)
      assert.isTrue(monotonicTimeNanosUnsafe() >= started)
    })
  )
})

describe("a time limit", () => {
  for (const [name, run] of [
    ["of the program's own clock", it.effect],
    ["of the platform's clock", it.live]
  ] as const) {
    run(`${name} gives the value of an effect that ends in time`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* limited(Effect.succeed("at once"), 60_000, late), "at once")
        assert.strictEqual(yield* limited(Effect.as(Effect.yieldNow, "soon"), 60_000, late), "soon")
      })
    )

    run(`${name} interrupts the effect when the caller is interrupted`, () =>
      Effect.gen(function* () {
        const events: Array<string> = []
        const fiber = yield* Effect.forkChild(limited(endless(events), 60_000, late), { startImmediately: true })
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(events, ["interrupted"])
      })
    )

    run(`${name} passes a defect on`, () =>
      Effect.gen(function* () {
        const exit = yield* Effect.exit(limited(Effect.die(new Error("broken")), 60_000, late))
        assert.isTrue(Exit.hasDies(exit))
      })
    )
  }

  it.effect("interrupts the effect when the program's clock reaches it, and not before", function* () {
    const events: Array<string> = []
    const fiber = yield* Effect.forkChild(limited(endless(events), 1000, late), { startImmediately: true })
    yield* TestClock.adjust(999)
    assert.deepStrictEqual(events, [])
    yield* TestClock.adjust(1)
    assert.strictEqual(yield* Fiber.join(fiber), "late")
    assert.deepStrictEqual(events, ["interrupted"])
  })

  it.live("interrupts the effect after a time of the platform", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      assert.strictEqual(yield* limited(endless(events), 5, late), "late")
      assert.deepStrictEqual(events, ["interrupted"])
    })
  )

  it.live("longer than a timer of the platform does not end at once", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* limited(Effect.as(Effect.sleep(5), "in time"), 2 ** 31, late), "in time")
    })
  )
})
