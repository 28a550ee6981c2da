import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { assert, describe, it } from "vitest"

/** The folders of this package from the bottom up; a module imports from its own folder and from those before it. */
const layers = [
  "contract",
  "models",
  "schemas",
  "reading",
  "api",
  "errors",
  "policies",
  "transport",
  "call",
  "services"
]

const source = import.meta.dirname

const modules = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".ts") && !/\.(?:test|tst)\.ts$/.test(file)
)

/** The imports and re-exports of other modules of this package, those of types included. */
const importsOf = (file: string): ReadonlyArray<string> =>
  [...readFileSync(join(source, file), "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, path = ""]) =>
    normalize(join(dirname(file), path))
  )

const imports = new Map(modules.map((file) => [file, importsOf(file)]))

const layerOf = (file: string): number => layers.indexOf(dirname(file))

/** A path that leads from `file` back to it; empty if it is in no cycle. */
const cycleFrom = (file: string): ReadonlyArray<string> => {
  const seen = new Set<string>()
  const pathTo = (at: string): ReadonlyArray<string> => {
    for (const imported of imports.get(at) ?? []) {
      if (imported === file) return [at, file]
      if (seen.has(imported)) continue
      seen.add(imported)
      const path = pathTo(imported)
      if (path.length > 0) return [at, ...path]
    }
    return []
  }
  return pathTo(file)
}

describe("the folders of core", () => {
  it("hold every module but the index", () => {
    assert.isAbove(modules.length, 80)
    assert.deepStrictEqual(
      modules.filter((file) => layerOf(file) === -1),
      ["index.ts"]
    )
  })

  it("import from below only", () => {
    const upward = modules.flatMap((file) =>
      file === "index.ts"
        ? []
        : importsOf(file)
            .filter((imported) => layerOf(imported) === -1 || layerOf(imported) > layerOf(file))
            .map((imported) => `${file} imports ${imported}`)
    )
    assert.deepStrictEqual(upward, [])
  })

  it("have no cycles of imports, types included", () => {
    assert.deepStrictEqual(
      modules.map((file) => cycleFrom(file).join(" -> ")).filter((cycle) => cycle !== ""),
      []
    )
  })
})

describe("the modules of errors and policies", () => {
  it("need no schema, except for the codecs", () => {
    const withSchema = modules.filter(
      (file) =>
        ["errors", "policies"].includes(dirname(file)) &&
        /from "effect\/Schema/.test(readFileSync(join(source, file), "utf8"))
    )
    assert.deepStrictEqual(withSchema, ["errors/ErrorCodecs.ts"])
  })
})

interface Manifest {
  readonly exports: Readonly<Record<string, string>>
  readonly publishConfig: { readonly exports: Readonly<Record<string, unknown>> }
}

describe("the exports of core", () => {
  const manifest: Manifest = JSON.parse(readFileSync(join(source, "../package.json"), "utf8"))

  it("are the same modules in the repository and when published", () => {
    const published = Object.entries(manifest.exports).map(([subpath, file]) => {
      if (file === "./package.json") return [subpath, file]
      const name = file.replace("./src/", "").replace(/\.ts$/, "")
      return [
        subpath,
        {
          types: `./dist/${name}.d.ts`,
          module: `./dist/${name}.js`,
          node: `./dist/node/${name}.js`,
          default: `./dist/${name}.js`
        }
      ]
    })
    assert.deepStrictEqual(manifest.publishConfig.exports, Object.fromEntries(published))
  })

  it("include every module of the index under its name", () => {
    const index = readFileSync(join(source, "index.ts"), "utf8")
    const named = [...index.matchAll(/export \* as (\w+) from "\.\/([^"]+)"/g)]
    assert.isAbove(named.length, 40)
    for (const [, name = "", file = ""] of named) assert.strictEqual(manifest.exports[`./${name}`], `./src/${file}`)
  })
})
