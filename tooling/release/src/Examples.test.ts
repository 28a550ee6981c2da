import { assert, beforeAll, describe, it } from "@effect/vitest"
import { runtimes } from "@signalbox/runtimes"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { makeConsumer } from "./Consumer.ts"
import { examplesOf, moduleOf } from "./Examples.ts"
import { packedTarballs } from "./PackedTarballs.ts"
import { catalogVersion, command } from "./Repository.ts"
import { libraries } from "./Tarball.ts"

const compilerOptions = {
  module: "nodenext",
  target: "es2023",
  lib: ["es2023", "esnext.disposable", "dom", "dom.iterable"],
  types: [],
  noEmit: true,
  allowImportingTsExtensions: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true
}

const node = runtimes["Node 24"]

const program = (name: string) => readFileSync(join(import.meta.dirname, "consumer", name), "utf8")

describe("every example of the libraries", () => {
  const packed = packedTarballs(libraries)
  const examples = libraries
    .flatMap((library) => examplesOf(library))
    .map(({ place, text }, index) => {
      const isTest = text.includes("@signalbox/test-harness/vitest")
      return { place, text, isTest, file: `example${index}${isTest ? ".test" : ""}.ts` }
    })
  let refused: ReadonlyArray<string> = []
  let failed: Readonly<Record<string, string>> = {}

  beforeAll(() => {
    const consumer = makeConsumer({
      folder: join(packed.folder, "examples"),
      tarballs: packed.all(),
      registry: Object.fromEntries(
        ["effect", "undici", "vitest", "@effect/platform-node", "@effect/sql-pg"].map((name) => [
          name,
          catalogVersion(name)
        ])
      ),
      nodeVersion: catalogVersion("node")
    })
    for (const { file, text } of examples) consumer.write(file, moduleOf(text))
    for (const name of ["Claim.ts", "RunExamples.ts"]) consumer.write(name, program(name))
    consumer.write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["example*.ts"] }))
    refused = consumer.run(command("tsc"), ["-p", "."]).output.split("\n")
    // The examples with a database of their own are only compiled.
    const plain = examples.filter(({ isTest, text }) => !isTest && !text.includes('"DATABASE_URL"'))
    consumer.write("tokens.csv", "user,token\nu,t\n")
    consumer.write("tokens.ndjson", '{"subscriberId":"u","providerId":"fcm","credentials":{"deviceTokens":["t"]}}\n')
    const ran = consumer.run(node, ["RunExamples.ts", ...plain.map(({ file }) => file)])
    assert.strictEqual(ran.status, 0, ran.output)
    failed = JSON.parse(ran.output.trim().split("\n").at(-1) ?? "")
    const tested = consumer.run(node, [join("node_modules", "vitest", "vitest.mjs"), "run"])
    assert.strictEqual(tested.status, 0, tested.output)
  })

  for (const { file, place } of examples) {
    it(`${place} has right types and does what it says`, () => {
      assert.deepStrictEqual(
        refused.filter((line) => line.startsWith(`${file}(`)),
        []
      )
      assert.isUndefined(failed[file])
    })
  }
})
