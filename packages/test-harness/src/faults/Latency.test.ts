import { assert, describe, it } from "@effect/vitest"
import * as Random from "../random/Random.ts"
import type { Latency } from "./Fault.ts"
import { drawLatency } from "./Latency.ts"

const draws = (latency: Latency, seed = 1): ReadonlyArray<number> => {
  const random = Random.stream(seed)
  return Array.from({ length: 2_000 }, () => drawLatency(latency, random)).toSorted((one, other) => one - other)
}

const at = (sorted: ReadonlyArray<number>, part: number): number => sorted[Math.floor(sorted.length * part)] ?? NaN

describe("drawLatency", () => {
  it("a fixed latency is always the same", () => {
    assert.deepStrictEqual(new Set(draws({ distribution: "fixed", delayMs: 200 })), new Set([200]))
  })

  it("a uniform latency fills its interval evenly", () => {
    const sorted = draws({ distribution: "uniform", fromMs: 100, toMs: 300 })
    assert.isAtLeast(at(sorted, 0), 100)
    assert.isBelow(sorted.at(-1) ?? NaN, 300)
    for (const part of [0.25, 0.5, 0.75]) assert.approximately(at(sorted, part), 100 + 200 * part, 10)
  })

  it("a lognormal latency has its median, a long tail, and an optional maximum", () => {
    const latency = { distribution: "lognormal", medianMs: 100, sigma: 0.5 } as const
    const sorted = draws(latency)
    assert.approximately(at(sorted, 0.5), 100, 8)
    // One deviation on each side of the median: a factor of e to the sigma.
    assert.approximately(at(sorted, 0.8413), 100 * Math.exp(0.5), 15)
    assert.approximately(at(sorted, 0.1587), 100 * Math.exp(-0.5), 8)
    assert.strictEqual(draws({ ...latency, maxMs: 150 }).at(-1), 150)
  })

  it("is always a number, for extreme parameters too", () => {
    for (const medianMs of [0, 1e308]) {
      const sorted = draws({ distribution: "lognormal", medianMs, sigma: 1e308 })
      assert.isFalse(sorted.some(Number.isNaN))
      assert.deepStrictEqual(new Set(sorted), new Set(medianMs === 0 ? [0] : [0, Infinity]))
    }
  })

  it("the same seed draws the same", () => {
    const latency = { distribution: "lognormal", medianMs: 100, sigma: 1 } as const
    assert.deepStrictEqual(draws(latency, 7), draws(latency, 7))
    assert.notDeepEqual(draws(latency, 7), draws(latency, 8))
  })
})
