import { assert, beforeAll, describe, it } from "@effect/vitest"
import { runtimes } from "@signalbox/runtimes"
import { cpSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Consumer, makeConsumer, type Outcome } from "./Consumer.ts"
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

interface Manifest {
  readonly dependencies?: object
  readonly devDependencies: object
  readonly scripts: { readonly test: string }
}

const manifestOf = (recipe: string): Manifest => JSON.parse(readFileSync(join(folder, recipe, "package.json"), "utf8"))

const dependenciesOf = (recipe: string): ReadonlyArray<string> => {
  const { dependencies, devDependencies } = manifestOf(recipe)
  return Object.keys({ ...dependencies, ...devDependencies })
}

/** How each kind of `npm test` runs in the consumer, and the line of its output that says that tests passed. */
const runners: Readonly<
  Record<string, (consumer: Consumer, recipe: string) => { readonly outcome: Outcome; readonly passed: RegExp }>
> = {
  "node --test": (consumer, recipe) => ({
    outcome: consumer.run(runtimes["Node 24"], ["--test", `${recipe}/*.test.ts`]),
    passed: /^(?:#|ℹ) pass [1-9]/mu
  }),
  "node --experimental-vm-modules node_modules/jest/bin/jest.js": (consumer, recipe) => ({
    outcome: consumer.run(runtimes["Node 24"], [
      "--experimental-vm-modules",
      "node_modules/jest/bin/jest.js",
      "--rootDir",
      recipe,
      "--watchman=false",
      "--json"
    ]),
    passed: /"numPassedTests":[1-9]/u
  }),
  "bun test": (consumer, recipe) => ({
    // Bun writes its results to standard error.
    outcome: consumer.run("sh", ["-c", `"${runtimes.Bun}" test ./${recipe}/ 2>&1`]),
    passed: /^ *[1-9]\d* pass$/mu
  }),
  "playwright test": (consumer, recipe) => ({
    outcome: consumer.run(runtimes["Node 24"], ["node_modules/@playwright/test/cli.js", "test", `${recipe}/`]),
    passed: /^ *[1-9]\d* passed/mu
  })
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
  })

  it("has the right types, in every folder", () => {
    assert.strictEqual(consumer.run(command("tsc"), ["-p", "."]).output, "")
  })

  it.each(recipes)("%s passes its tests", (recipe) => {
    const runner = runners[manifestOf(recipe).scripts.test]
    if (runner === undefined) return assert.fail(`no runner for ${manifestOf(recipe).scripts.test}`)
    const { outcome, passed } = runner(consumer, recipe)
    assert.strictEqual(outcome.status, 0, outcome.output)
    assert.match(outcome.output, passed)
  })
})
