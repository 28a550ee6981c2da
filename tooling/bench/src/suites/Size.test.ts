import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { findBreaches, parseBudgets } from "../Budget.ts"
import { parseRun } from "../Run.ts"
import { size } from "./Size.ts"

const text = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8")
const budgets = parseBudgets(text("budgets.json"))
const kept = parseRun(text("measured.json"))
const keptBytes = new Map(kept.reports.flatMap(({ rows }) => rows.map(({ id, value }) => [id, value] as const)))
const tolerance = 1.05

// Over its budget, as docs/performance.md says: it must not grow, and this line goes when it is within.
const overBudget = "size/sdk-own"

const measured = async () => {
  const report = await size()
  return { report, bytes: (id: string) => report.rows.find((row) => row.id === id)?.value ?? Number.NaN }
}

describe("size", () => {
  it("is within its budgets", async () => {
    const { report } = await measured()
    const within = budgets.filter(({ anyOf }) => anyOf.every(({ row }) => row !== overBudget))
    assert.deepStrictEqual(findBreaches(within, [report]), [])
  }, 60_000)

  it("of what is over its budget has not grown since the figures in docs/benchmarks.md", async () => {
    const { bytes } = await measured()
    assert.isAtMost(bytes(overBudget), (keptBytes.get(overBudget) ?? 0) * tolerance)
  }, 60_000)

  it("of a list call through the SDK stays below two thirds of the peer that reads the same listing", async () => {
    const { bytes } = await measured()
    assert.isBelow(bytes("size/sdk-list"), bytes("size/novu-function") * 0.66)
  }, 60_000)
})
