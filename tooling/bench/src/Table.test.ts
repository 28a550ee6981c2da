import { assert, describe, it } from "@effect/vitest"
import { markdownTable, plainTable, tables } from "./Table.ts"

const [table = []] = tables({
  suite: "decode",
  rows: [
    { id: "decode/parse", label: "JSON.parse", unit: "ms", value: 0.7, low: 0.6, high: 0.8 },
    {
      id: "decode/read",
      label: "read",
      unit: "ms",
      value: 1234.5,
      low: 1,
      high: 2,
      baseline: "decode/parse",
      ratio: 1.5
    }
  ]
})

describe("Table", () => {
  it("leaves out empty columns", () => {
    assert.deepStrictEqual(table[0], ["what", "median", "quartiles", "ratio", "over"])
    assert.deepStrictEqual(table[2], ["read", "1,235 ms", "1.00 to 2.00", "1.50 ×", "decode/parse"])
  })

  it("aligns columns for a terminal", () => {
    assert.deepStrictEqual(plainTable(table).split("\n").slice(0, 2), [
      "what          median       quartiles   ratio  over",
      "JSON.parse  0.700 ms  0.600 to 0.800"
    ])
  })

  it("keeps a pipe in a cell from ending the cell", () => {
    assert.include(markdownTable([["a"], ["b|c"]]), "b\\|c")
  })

  it("puts observations in one row a probe and one column a client", () => {
    const [observed] = tables({ suite: "b", rows: [], observations: { "503": { x: "1", y: "2" } } })
    assert.deepStrictEqual(observed, [
      ["probe", "x", "y"],
      ["503", "1", "2"]
    ])
  })
})
