import { assert, describe, it } from "@effect/vitest"
import { makeEstimate } from "./Progress.ts"

describe("the rate of a run", () => {
  it("is that of the last ten seconds, and shows the time left where the total is known", () => {
    const estimate = makeEstimate()
    const at = (second: number, succeeded: number, isKnown = true) =>
      estimate(
        { counts: { succeeded, failed: 1, unknown: 1, invalid: 1 }, total: isKnown ? 1000 : undefined },
        second * 1000
      )
    assert.deepStrictEqual(at(0, 97), { perSecond: 0, timeLeftMs: undefined })
    assert.deepStrictEqual(at(5, 147), { perSecond: 10, timeLeftMs: 85_000 })
    assert.deepStrictEqual(at(10, 197), { perSecond: 10, timeLeftMs: 80_000 })
    // The first sample is too old by now.
    assert.deepStrictEqual(at(11, 267), { perSecond: 20, timeLeftMs: 36_500 })
    assert.deepStrictEqual(at(60, 267), { perSecond: 0, timeLeftMs: undefined })
    assert.deepStrictEqual(at(61, 277, false), { perSecond: 10, timeLeftMs: undefined })
  })
})
