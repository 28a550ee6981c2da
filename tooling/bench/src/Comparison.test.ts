import { assert, describe, it } from "@effect/vitest"
import { compareContestants, type Pair, ratioOf } from "./Comparison.ts"

const pair = (base: number, branch: number): Pair => ({
  base: [base, base * 1.1, base * 4].map((cpu) => ({ wall: 0, cpu })),
  branch: [branch * 3, branch, branch * 1.1].map((cpu) => ({ wall: 0, cpu }))
})

describe("ratioOf", () => {
  it("returns the median over pairs, unchanged by rounds that were disturbed", () => {
    assert.closeTo(ratioOf([pair(1, 1), pair(1, 1.25), pair(2, 2.2)]), 1.1, 0.01)
  })
})

describe("compareContestants", () => {
  /** The result of contestants whose pairs have these ratios; the last one repeats. */
  const comparing = async (ratios: Readonly<Record<string, ReadonlyArray<number>>>) => {
    let measured = 0
    const compared = await compareContestants(() => {
      const at = measured++
      return Promise.resolve(
        new Map(Object.entries(ratios).map(([name, some]) => [name, pair(1, some[at] ?? some.at(-1) ?? NaN)]))
      )
    })
    return { measured, slower: compared.filter(({ isSlower }) => isSlower).map(({ name }) => name) }
  }

  it("stops after three pairs where nothing is slower, and after four where the branch is", async () => {
    assert.deepStrictEqual(await comparing({ reader: [0.7], call: [1.02] }), { measured: 3, slower: [] })
    assert.deepStrictEqual(await comparing({ reader: [1.33], call: [1.02] }), { measured: 4, slower: ["reader"] })
  })

  it("continues while pairs disagree, and reports nothing that was slower by chance", async () => {
    assert.deepStrictEqual(await comparing({ reader: [1.4, 1.4, 1.2, 1] }), { measured: 9, slower: [] })
    assert.deepStrictEqual(await comparing({ reader: [1, 1, 1.3] }), { measured: 8, slower: ["reader"] })
  })

  it("keeps the verdict of a contestant while another one needs more pairs", async () => {
    assert.deepStrictEqual(await comparing({ call: [1, 1, 1, 9], reader: [1, 1.3] }), {
      measured: 6,
      slower: ["reader"]
    })
  })

  it("decides by the median where twelve pairs have no majority", async () => {
    const alternating = [1.3, 1, 1.3, 1, 1.3, 1, 1.3, 1, 1.3, 1, 1.3, 1.3]
    assert.deepStrictEqual(await comparing({ reader: alternating }), { measured: 12, slower: ["reader"] })
  })
})
