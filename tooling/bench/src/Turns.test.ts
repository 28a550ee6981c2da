import { assert, describe, it } from "@effect/vitest"
import type { Contestant } from "./Measure.ts"
import { inTurns } from "./Turns.ts"

/** Adds numbers, `steps` of them in a run. */
const adding = (name: string, steps: number): Contestant => ({
  name,
  run: () => {
    let sum = 0
    for (let step = 0; step < steps; step++) sum += Math.sqrt(step)
    return sum
  }
})

// Three seconds of processor time, which take longer next to other programs.
describe("inTurns", { timeout: 120_000 }, () => {
  it("returns what a contestant costs over its base, and leaves out what only one side has", async () => {
    const ratios = await inTurns(
      [adding("same", 30_000), adding("more work", 30_000), adding("gone", 1)],
      [adding("more work", 60_000), adding("same", 30_000)]
    )
    assert.deepStrictEqual(Object.keys(ratios), ["same", "more work"])
    assert.closeTo(ratios["same"] ?? NaN, 1, 0.3)
    assert.closeTo(ratios["more work"] ?? NaN, 2, 0.6)
  })
})
