import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { budgets } from "./Budgets.ts"
import { measurementsPage, parseScores } from "./Measurements.ts"
import { mergeRuns, parseRun } from "./Run.ts"
import { suites } from "./Suites.ts"

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8")
const run = parseRun(read("../measured.json"))
const page = read("../../../docs/measurements.md")

describe("docs/measurements.md", () => {
  it("is what the kept figures give; run `pnpm bench --docs --from tooling/bench/measured.json` otherwise", () => {
    assert.strictEqual(page, measurementsPage(page, run, budgets, parseScores(read("../../mutation/measured.json"))))
  })

  it("reports where each suite ran, and keeps the suites that did not run again", () => {
    const [first] = run.reports
    assert(first !== undefined)
    const merged = mergeRuns(run, { reports: [{ ...first, place: { ...first.place, node: "99.0.0" } }] })
    assert.deepStrictEqual(merged.reports.slice(1), run.reports.slice(1))
    const text = measurementsPage(page, merged, budgets, [])
    assert.match(text, /^Node 99\.0\.0; .*: decode\. Node /mu)
  })

  it("covers every suite", () => {
    assert.deepStrictEqual(
      run.reports.map((report) => report.suite),
      Object.keys(suites)
    )
  })

  it("shows limits that are not kept, and the needs that follow from the figures", () => {
    const [kept] = run.reports
    assert(kept !== undefined)
    const report = (cpu: number) => ({
      ...kept,
      suite: "bulk",
      rows: [
        { id: "bulk/run", label: "run", unit: "ms" as const, value: 600, cpu, ratio: 1.5 },
        { id: "bulk/cluster-database", label: "database", unit: "count" as const, value: 4 }
      ]
    })
    const limits = [{ row: "bulk/run", measure: "ratio", atMost: 1.2 }] as const
    const scores = [{ package: "core", sampled: 300, detected: 270, bar: 92 }]
    const text = measurementsPage(page, { reports: [report(3000)] }, limits, scores)
    assert.include(text, "| bulk: run | 1.50 × | at most 1.2 ×, **not kept** |")
    assert.include(text, "| 90.0 % | at least 92 %, **not kept** |")
    // 0.3 ms for each of 10⁷ lines.
    assert.include(text, ": CPU of the client | 50 minutes, 3 days | calculated |")
    assert.include(text, ": journal | 350 MB, 35 GB | calculated |")
    assert.throws(() => measurementsPage(page, { reports: [] }, limits, scores), /no figures of the suite bulk/u)
  })
})
