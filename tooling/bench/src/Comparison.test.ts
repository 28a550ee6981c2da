import { assert, describe, it } from "@effect/vitest"
import { compareContestants, type MeasurePairs, type Pair, ratioOf } from "./Comparison.ts"

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
  const measuring = (...runs: ReadonlyArray<Record<string, number>>) => {
    const asked: Array<number> = []
    const measure: MeasurePairs = (count) => {
      const ratios = runs[asked.length] ?? {}
      asked.push(count)
      return Promise.resolve(
        new Map(
          Object.entries(ratios).map(([name, ratio]) => [name, Array.from({ length: count }, () => pair(1, ratio))])
        )
      )
    }
    return { asked, measure }
  }

  it("reports what is slower in both measurements together", async () => {
    const { asked, measure } = measuring({ reader: 1.33, call: 1.02 }, { reader: 1.3, call: 1.02 })
    const [reader, call] = await compareContestants(measure)
    assert.deepInclude(reader, { name: "reader", isSlower: true })
    assert.deepInclude(call, { name: "call", isSlower: false })
    assert.deepStrictEqual(asked, [5, 7])
  })

  it("reports nothing that was slower by chance", async () => {
    const { measure } = measuring({ reader: 1.2 }, { reader: 1.03 })
    assert.deepInclude((await compareContestants(measure))[0], { isSlower: false })
  })

  it("measures once where nothing is slower, and keeps what is faster", async () => {
    const { asked, measure } = measuring({ reader: 0.7 })
    assert.deepInclude((await compareContestants(measure))[0], { isSlower: false })
    assert.deepStrictEqual(asked, [5])
  })
})
