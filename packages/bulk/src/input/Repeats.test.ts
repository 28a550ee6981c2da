import { assert, describe, it } from "@effect/vitest"
import { addToSample, fingerprintOf, hasRepeats, Repeats, type Sample } from "./Repeats.ts"

describe("repeats", () => {
  it("reports each string that was added before, and no other", () => {
    const repeats = new Repeats()
    const added = Array.from({ length: 20_000 }, (_, at) => repeats.add(fingerprintOf(`line ${at % 15_000}`)))
    assert.deepStrictEqual(
      added,
      Array.from({ length: 20_000 }, (_, at) => at >= 15_000)
    )
  })
})

describe("samples", () => {
  const sampleOf = (from: number, to: number) => {
    const sample: Array<Sample[number]> = []
    for (let at = from; at < to; at++) addToSample(sample, fingerprintOf(`line ${at}`), at)
    return sample
  }

  it("show that inputs of any size have more lines in common than a few", () => {
    const sent = sampleOf(0, 10_000)
    assert.lengthOf(sent, 1024)
    const found = [
      [1, 10_000],
      [0, 30_000],
      [7_000, 17_000],
      [9_900, 20_000],
      [10_000, 20_000]
    ] as const
    assert.deepStrictEqual(
      found.map(([from, to]) => hasRepeats(sent, sampleOf(from, to))),
      [true, true, true, false, false]
    )
    // Small parts of a large input.
    for (let at = 0; at < 10_000; at += 100) assert.isTrue(hasRepeats(sent, sampleOf(at, at + 100)), `from ${at}`)
    assert.isTrue(hasRepeats(sampleOf(0, 5), sampleOf(4, 6)))
    assert.isFalse(hasRepeats([], sampleOf(0, 5)))
  })
})
