import { assert, afterEach, beforeEach, describe, it, vi } from "@effect/vitest"
import { realClock } from "./FakeClock.ts"

const day = 86_400_000

describe("the clock of the machine", () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it("waits longer than timers can", () => {
    let happened = 0
    realClock.schedule(60 * day, () => (happened += 1))
    vi.advanceTimersByTime(60 * day - 1)
    assert.strictEqual(happened, 0)
    vi.advanceTimersByTime(1)
    assert.strictEqual(happened, 1)
    assert.strictEqual(vi.getTimerCount(), 0)
  })

  it("cancels at any time, even an endless wait", () => {
    for (const millis of [0, 1, 60 * day, Number.MAX_VALUE, Infinity]) {
      let happened = 0
      const cancel = realClock.schedule(millis, () => (happened += 1))
      if (millis > 1) vi.advanceTimersByTime(30 * day)
      cancel.release?.()
      cancel()
      vi.advanceTimersByTime(60 * day)
      assert.strictEqual(happened, 0)
      assert.strictEqual(vi.getTimerCount(), 0)
    }
  })
})
