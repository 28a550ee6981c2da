import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { findBreaches, parseBudgets } from "./Budget.ts"
import type { Report } from "./Row.ts"
import { parseRun } from "./Run.ts"
import { suites } from "./Suites.ts"

const limits = parseBudgets(readFileSync(new URL("../budgets.json", import.meta.url), "utf8"))

const report: Report = {
  suite: "fake",
  rows: [{ id: "fake/start", label: "start", unit: "ms", value: 200, ratio: 2.4, baseline: "fake/bare" }]
}
const budget = (limit: Readonly<Record<string, unknown>>) =>
  parseBudgets(JSON.stringify([{ name: "starts soon", ...limit }]))

describe("Budget", () => {
  it("holds at its limit and breaks beyond it", () => {
    const at = (atMost: number) => budget({ row: "fake/start", measure: "value", atMost })
    assert.deepStrictEqual(findBreaches(at(200), [report]), [])
    assert.deepStrictEqual(findBreaches(at(199), [report]), [
      { name: "starts soon", found: "fake/start value 200, allowed at most 199" }
    ])
  })

  it("has lower limits too", () => {
    const at = (atLeast: number) => budget({ row: "fake/start", measure: "ratio", atLeast })
    assert.deepStrictEqual(findBreaches(at(2.4), [report]), [])
    assert.lengthOf(findBreaches(at(2.5), [report]), 1)
  })

  it("breaks when a suite ran and did not deliver the row, and keeps quiet about suites that did not run", () => {
    assert.deepStrictEqual(findBreaches(budget({ row: "fake/gone", measure: "value", atMost: 1 }), [report]), [
      { name: "starts soon", found: "fake/gone value not measured, allowed at most 1" }
    ])
    assert.deepStrictEqual(findBreaches(budget({ row: "tui/gone", measure: "value", atMost: 1 }), [report]), [])
  })

  it("refuses a misspelt limit", () => {
    assert.throws(() => budget({ row: "fake/start", measure: "value", atmost: 1 }), /atmost/)
  })

  // Limits of the terminal UI, of times and of memory are rules instead.
  it("of this repository exceeds the published ratio or size by at most 15 %", () => {
    const rows = parseRun(readFileSync(new URL("../measured.json", import.meta.url), "utf8")).reports.flatMap(
      (report) => report.rows
    )
    const loose = limits.filter(({ atMost, measure, row }) => {
      const found = rows.find(({ id }) => id === row)
      const published = found?.[measure]
      const isTimeOrMemory = measure === "value" && found?.unit !== "bytes"
      if (atMost === undefined || published === undefined || isTimeOrMemory || row.startsWith("tui/")) return false
      return atMost > published * 1.15 + 0.005
    })
    assert.deepStrictEqual(
      loose.map(({ row }) => row),
      []
    )
  })

  it("of this repository names only suites that exist, and each has a limit", () => {
    for (const limit of limits) {
      assert.include(Object.keys(suites), limit.row.split("/")[0])
      assert.isTrue(limit.atMost !== undefined || limit.atLeast !== undefined, limit.row)
    }
  })
})
