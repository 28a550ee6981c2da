import { assert, beforeAll, describe, it } from "@effect/vitest"
import { runtimes } from "@signalbox/runtimes"
import { cpSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Consumer, makeConsumer } from "./Consumer.ts"
import { packedTarballs } from "./PackedTarballs.ts"
import { catalogVersion, command, repository } from "./Repository.ts"
import { libraries } from "./Tarball.ts"

const folder = join(repository, "docs", "examples")

const recipes = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

const compilerOptions = {
  module: "nodenext",
  target: "es2024",
  lib: ["es2024", "esnext.disposable", "dom", "dom.iterable"],
  types: ["node"],
  noEmit: true,
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true
}

const dependenciesOf = (recipe: string): ReadonlyArray<string> => {
  const manifest: { readonly dependencies: object; readonly devDependencies: object } = JSON.parse(
    readFileSync(join(folder, recipe, "package.json"), "utf8")
  )
  return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
}

describe("the example", () => {
  const packed = packedTarballs(libraries)
  let consumer: Consumer

  beforeAll(() => {
    const registry = [...new Set(recipes.flatMap(dependenciesOf))].filter((name) => !name.startsWith("@signalbox/"))
    consumer = makeConsumer({
      folder: join(packed.folder, "recipes"),
      tarballs: packed.all(),
      registry: Object.fromEntries(
        ["@types/node", "effect", ...registry].map((name) => [name, catalogVersion(name)] as const)
      ),
      nodeVersion: catalogVersion("node")
    })
    for (const recipe of recipes) cpSync(join(folder, recipe), join(consumer.folder, recipe), { recursive: true })
    consumer.write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["*/*.ts"] }))
  }, 60_000)

  it("has the right types, in every folder", () => {
    assert.strictEqual(consumer.run(command("tsc"), ["-p", "."]).output, "")
  })

  it.each(recipes)("%s passes its tests", (recipe) => {
    const { output, status } = consumer.run(runtimes["Node 24"], ["--test", `${recipe}/*.test.ts`])
    assert.strictEqual(status, 0, output)
    assert.match(output, /^# pass [1-9]|^ℹ pass [1-9]/m)
  })
})
