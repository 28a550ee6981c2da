import { assert, describe, it } from "@effect/vitest"
import { Concurrency } from "./Concurrency.ts"

/** Latency of a service that does `capacity` calls at once and queues the rest. */
const latencyAt = (inFlight: number, capacity: number): number => 20 * Math.max(1, inFlight / capacity)

const run = (max: number, calls: number, capacity: number, concurrency = new Concurrency(max)) => {
  for (let call = 0; call < calls; call++) {
    const inFlight = concurrency.limit
    concurrency.observe({ durationMs: latencyAt(inFlight, capacity), inFlight, isDropped: false })
  }
  return concurrency
}

describe("concurrency", () => {
  it("grows to the given limit while latency stays the same, and never above it", () => {
    assert.strictEqual(run(32, 200, 1000).limit, 32)
    assert.strictEqual(run(1, 200, 1000).limit, 1)
    assert.strictEqual(new Concurrency(3).limit, 3)
  })

  it("does not grow on the word of calls that had no company", () => {
    const concurrency = new Concurrency(32)
    for (let call = 0; call < 100; call++) concurrency.observe({ durationMs: 20, inFlight: 1, isDropped: false })
    assert.strictEqual(concurrency.limit, 4)
  })

  it("shrinks when responses suddenly take much longer, and grows again", () => {
    const concurrency = run(64, 300, 1000)
    for (let call = 0; call < 20; call++) concurrency.observe({ durationMs: 400, inFlight: 64, isDropped: false })
    const slow = concurrency.limit
    assert.isBelow(slow, 48)
    assert.strictEqual(run(64, 500, 1000, concurrency).limit, 64)
  })

  it("shrinks to one call when the service refuses, and grows again", () => {
    const concurrency = run(32, 200, 1000)
    for (let call = 0; call < 100; call++) concurrency.observe({ durationMs: 1, inFlight: 32, isDropped: true })
    assert.strictEqual(concurrency.limit, 1)
    assert.strictEqual(run(32, 200, 1000, concurrency).limit, 32)
  })
})
