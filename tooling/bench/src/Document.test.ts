import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { parseBudgets } from "./Budget.ts"
import { benchmarksDocument } from "./Document.ts"
import { parseRun } from "./Run.ts"
import { suites } from "./Suites.ts"

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8")
const run = parseRun(read("../measured.json"))

describe("docs/benchmarks.md", () => {
  it("is what the kept figures give; run `pnpm bench --docs --from tooling/bench/measured.json` otherwise", () => {
    assert.strictEqual(
      read("../../../docs/benchmarks.md"),
      benchmarksDocument(run, parseBudgets(read("../budgets.json")))
    )
  })

  it("covers every suite", () => {
    assert.deepStrictEqual(
      run.reports.map((report) => report.suite),
      Object.keys(suites)
    )
  })
})
