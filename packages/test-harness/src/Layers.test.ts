import { importGraph } from "@signalbox/testing/Layers"
import { assert, describe, it } from "vitest"

/** The folders of the fake in their six layers from the bottom up; a module imports from its own folder and from those before it. */
const layers = {
  base: ["random", "input", "clock", "time", "wire", "switches"],
  records: ["state", "generate", "demo"],
  engine: ["trigger", "journal", "operations", "faults", "request", "surfaces"],
  environment: ["environment"],
  tools: ["verdicts", "provenance", "sweep", "check", "fixtures", "recording"],
  "entry points": ["effect.ts", "vitest.ts", "index.ts", "control", "pages", "server", "server.ts", "executable"]
}

const folders = Object.values(layers).flat()
const graph = importGraph(import.meta.dirname)

describe("the folders of the fake", () => {
  it("contain every module", () => {
    assert.isAbove(graph.modules.length, 150)
    assert.deepStrictEqual(graph.outside(folders), [])
  })

  it("import from below only", () => {
    assert.deepStrictEqual(graph.upward(folders), [])
  })

  it("have no cycles of imports, types included", () => {
    assert.deepStrictEqual(graph.cycles(), [])
  })

  it("are reported for an import from above", () => {
    assert.isNotEmpty(graph.upward(folders.toReversed()))
  })
})
