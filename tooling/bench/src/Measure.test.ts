import { assert, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import { collect, oneRound, prepare, percentile, summarise } from "./Measure.ts"
import { timedRows } from "./Row.ts"

describe("Measure", () => {
  it("summarises by median and quartiles, whatever the order", () => {
    assert.deepStrictEqual(summarise([5, 1, 4, 2, 3]), { median: 3, low: 2, high: 4 })
    assert.deepStrictEqual(summarise([1, 2]), { median: 1.5, low: 1.25, high: 1.75 })
    assert.strictEqual(percentile([1, 2, 3, 4, 5], 1), 5)
  })

  it("lets contestants take turns, also across sources", async () => {
    const turns: Array<string> = []
    const prepared = (name: string) => [{ contestant: { name, run: () => turns.push(name) }, times: 1 }]
    await collect(2, [() => oneRound(prepared("a")), () => oneRound(prepared("b"))])
    // A shorter batch that is not measured precedes each.
    assert.deepStrictEqual(turns, ["a", "a", "b", "b", "a", "a", "b", "b"])
  })

  it("waits for runs that answer a promise", async () => {
    let settled = 0
    const run = () => Promise.resolve().then(() => settled++)
    await oneRound([{ contestant: { name: "a", run }, times: 3 }])
    assert.strictEqual(settled, 4)
  })

  it("sizes batches by warm runs, also when the first run takes longer than the warm-up", async () => {
    let used = 0
    using _processor = vi
      .spyOn(process, "cpuUsage")
      .mockImplementation((since) => ({ user: used - (since?.user ?? 0), system: 0 }))
    const run = () => {
      used += used === 0 ? 40_000 : 500
    }
    const [prepared] = await prepare([{ name: "a", run }], { warmUpMs: 10, batchMs: 10 })
    assert.strictEqual(prepared?.times, 20)
  })

  it("computes ratios within a round, so that one slow round does not count twice", () => {
    const rounds = new Map([
      ["base", [1, 10, 1].map((wall) => ({ wall, cpu: 1 }))],
      ["ours", [2, 20, 2].map((wall) => ({ wall, cpu: 3 }))]
    ])
    const ours = { id: "x/ours", label: "ours", contestant: "ours", baseline: "x/base" }
    const [row] = timedRows(rounds, [ours, { id: "x/base", label: "base", contestant: "base" }])
    assert.deepInclude(row, { value: 2, cpu: 3, baseline: "x/base", ratio: 2, cpuRatio: 3 })
    assert.throws(() => timedRows(rounds, [ours]), 'no row "x/base"')
  })
})
