import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import type { Row } from "./Row.ts"
import { scaleDocument } from "./ScaleDocument.ts"

const page = readFileSync(new URL("../../../docs/scale.md", import.meta.url), "utf8")

const row = (id: string, value: number): Row => ({
  id: `bulk/${id}`,
  label: id,
  unit: "ms",
  value,
  cpu: value,
  ratio: 1.5,
  cpuRatio: 1.2
})

const run = {
  node: "24.0.0",
  machine: "2 × test",
  date: "2026-01-01",
  load: 3.25,
  observations: [],
  reports: [
    {
      suite: "bulk",
      observations: [],
      rows: [
        row("fetch-loop", 300),
        row("sdk-loop", 500),
        row("run", 600),
        row("run-heap-early", 26),
        row("run-heap-late", 27),
        row("cluster-one", 150),
        row("cluster-three", 440),
        row("slow-loop-cpu", 350),
        row("cluster-one-cpu", 400),
        row("cluster-three-cpu", 450),
        row("cluster-database", 4)
      ]
    }
  ]
}

describe("docs/scale.md", () => {
  it("gets the figures of a run, and the needs that follow from them", () => {
    const text = scaleDocument(page, run)
    assert.include(text, "Node 24.0.0; 2 × test; 2026-01-01; load 3.3.")
    // 0.3 ms for each of 10⁷ lines.
    assert.include(text, "| CPU of the client | 50 minutes | 83 hours |".replace("83 hours", "3 days"))
    assert.include(text, "| journal | 350 MB | 35 GB |")
    assert.include(text, "need 13 workers")
    assert.strictEqual(scaleDocument(text, run), text)
  })

  it("is not written from a run of other suites", () =>
    assert.throws(() => scaleDocument(page, { ...run, reports: [] }), /the run has no row bulk\//u))
})
