import { assert, describe, it } from "@effect/vitest"
import { compareContestants } from "./Comparison.ts"

describe("compareContestants", () => {
  /** The result of contestants whose pairs have these ratios; the last one repeats. */
  const comparing = async (ratios: Readonly<Record<string, ReadonlyArray<number>>>) => {
    let measured = 0
    const compared = await compareContestants(() => {
      const at = measured++
      return Promise.resolve(
        Object.fromEntries(Object.entries(ratios).map(([name, some]) => [name, some[at] ?? some.at(-1) ?? NaN]))
      )
    })
    return { measured, slower: compared.filter(({ isSlower }) => isSlower).map(({ name }) => name) }
  }

  it("stops after two measurements where nothing is slower, and after three where the branch is", async () => {
    assert.deepStrictEqual(await comparing({ reader: [0.7], call: [1.02] }), { measured: 2, slower: [] })
    assert.deepStrictEqual(await comparing({ reader: [1.33], call: [1.02] }), { measured: 3, slower: ["reader"] })
  })

  it("continues while measurements disagree, and reports nothing that was slower by chance", async () => {
    assert.deepStrictEqual(await comparing({ reader: [1.4, 1.4, 1] }), { measured: 6, slower: [] })
    assert.deepStrictEqual(await comparing({ reader: [1, 1.3] }), { measured: 5, slower: ["reader"] })
  })

  it("keeps the verdict of a contestant while another one needs more measurements", async () => {
    assert.deepStrictEqual(await comparing({ call: [1, 1, 9], reader: [1, 1.3] }), { measured: 5, slower: ["reader"] })
  })

  it("decides by the median where seven measurements have no majority", async () => {
    const alternating = [1.3, 1, 1.3, 1, 1.3, 1, 1.3]
    assert.deepStrictEqual(await comparing({ reader: alternating }), { measured: 7, slower: ["reader"] })
  })
})
