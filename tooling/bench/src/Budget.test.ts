import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { type Budget, outcomeOf, outcomesOf } from "./Budget.ts"
import { budgets } from "./Budgets.ts"
import type { Report } from "./Row.ts"
import { parseRun } from "./Run.ts"
import { suites } from "./Suites.ts"

const report: Report = {
  suite: "fake",
  rows: [
    { id: "fake/start", label: "start", unit: "ms", value: 200, ratio: 2.4, baseline: "fake/bare" },
    { id: "fake/bare", label: "a bare server", unit: "ms", value: 80 }
  ]
}
const row = "fake/start"

describe("Budget", () => {
  it.each([
    [{ row, measure: "value", atMost: 200 } as const, ["start", "200 ms", "at most 200 ms", true]],
    [{ row, measure: "value", atMost: 199 } as const, ["start", "200 ms", "at most 199 ms", false]],
    [
      { row, measure: "ratio", atLeast: 2.4 } as const,
      ["start, compared with a bare server", "2.40 ×", "at least 2.4 ×", true]
    ],
    [
      { row, measure: "ratio", atLeast: 2.5 } as const,
      ["start, compared with a bare server", "2.40 ×", "at least 2.5 ×", false]
    ],
    [{ row: "fake/gone", measure: "ratio", atMost: 1 } as const, ["fake/gone", "not measured", "at most 1 ×", false]]
  ])("%o is kept up to its limit", (budget, [name, measured, limit, isKept]) => {
    assert.deepStrictEqual<unknown>(outcomeOf(budget, [report]), { name, measured, limit, isKept })
    assert.deepStrictEqual(outcomesOf([budget], [report]), [outcomeOf(budget, [report])])
  })

  it("ignores suites that did not run", () => {
    assert.deepStrictEqual(outcomesOf([{ row: "tui/gone", measure: "value", atMost: 1 }], [report]), [])
  })

  const rows = parseRun(readFileSync(new URL("../measured.json", import.meta.url), "utf8")).reports.flatMap(
    ({ rows: all }) => all
  )
  const publishedRow = (budget: Budget) => rows.find(({ id }) => id === budget.row)

  // A reason that no longer applies fails, too.
  it("of this repository is within 15 % of the published figure, or says why not", () => {
    const isLoose = (budget: Budget) => {
      const published = publishedRow(budget)?.[budget.measure]
      if (published === undefined) return false
      return "atMost" in budget ? budget.atMost > published * 1.15 + 0.005 : budget.atLeast < published / 1.15 - 0.005
    }
    const namesOf = (some: ReadonlyArray<Budget>) => some.map(({ row: name }) => name)
    assert.deepStrictEqual(
      namesOf(budgets.filter(isLoose)),
      namesOf(budgets.filter(({ because }) => because !== undefined))
    )
  })

  it("of this repository is a ratio where it depends on the speed of the machine", () => {
    const ofTime = new Set(["ms", "per second", "percent"])
    const absolute = budgets.filter(
      (budget) => budget.measure === "value" && ofTime.has(publishedRow(budget)?.unit ?? "")
    )
    // Nothing, in ticks of the processor's clock.
    assert.deepStrictEqual(
      absolute.map((budget) => budget.row),
      ["tui/idle-cpu"]
    )
  })

  it("of this repository names only suites that exist", () => {
    for (const budget of budgets) assert.include(Object.keys(suites), budget.row.split("/")[0])
  })
})
