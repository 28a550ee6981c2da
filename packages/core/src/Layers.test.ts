import { importGraph } from "@signalbox/testing/Layers"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "vitest"

/** The folders of this package from the bottom up; a module imports from its own folder and from those before it. */
const layers = ["contract", "models", "schemas", "reading", "errors", "policies", "transport", "call", "services"]

const source = import.meta.dirname

const graph = importGraph(source)

describe("the folders of core", () => {
  it("hold every module but the index", () => {
    assert.isAbove(graph.modules.length, 80)
    assert.deepStrictEqual(graph.outside(layers), ["index.ts"])
  })

  it("import from below only", () => {
    assert.deepStrictEqual(graph.upward(layers), [])
  })

  it("have no cycles of imports, types included", () => {
    assert.deepStrictEqual(graph.cycles(), [])
  })
})

describe("the modules of errors and policies", () => {
  it("need no schema", () => {
    const withSchema = graph.modules.filter(
      (file) =>
        ["errors", "policies"].includes(dirname(file)) &&
        /^import .* from "effect\/Schema/m.test(readFileSync(join(source, file), "utf8"))
    )
    assert.deepStrictEqual(withSchema, [])
  })
})

interface Manifest {
  readonly exports: Readonly<Record<string, string>>
}

describe("the exports of core", () => {
  const manifest: Manifest = JSON.parse(readFileSync(join(source, "../package.json"), "utf8"))

  it("include every module of the index under its name", () => {
    const index = readFileSync(join(source, "index.ts"), "utf8")
    const named = [...index.matchAll(/export \* as (\w+) from "\.\/([^"]+)"/g)]
    assert.isAbove(named.length, 20)
    for (const [, name = "", file = ""] of named) assert.strictEqual(manifest.exports[`./${name}`], `./src/${file}`)
  })
})
