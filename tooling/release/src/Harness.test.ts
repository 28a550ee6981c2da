import { runtimes } from "@signalbox/runtimes"
import * as harness from "@signalbox/test-harness"
import * as server from "@signalbox/test-harness/server"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { type Consumer, makeConsumer } from "./Consumer.ts"
import { script, source } from "./ConsumerPrograms.ts"
import { packedTarballs } from "./PackedTarballs.ts"
import { catalogVersion, command } from "./Repository.ts"

const printed = {
  failed: [503, 0],
  direct: [200, 10],
  overHttp: [200, 10],
  unmet: true,
  refused: "environment.events: must be an integer from 0 to 100000, not -1"
}

const requiring = `const { createFake } = require("@signalbox/test-harness")
const { listen } = require("@signalbox/test-harness/server")
listen(createFake()).then(async (server) => {
  console.log(new URL(server.url).hostname)
  await server.close()
})
`

/** Prints which package is missing. */
const missingPeer = `import("@signalbox/test-harness/effect").catch((error) => console.log(error.message))`

const vitestTest = `import { test } from "@signalbox/test-harness/vitest"
test("has a fake", async ({ fake, expect }) => {
  const headers = { authorization: "ApiKey " + fake.apiKey }
  const { status } = await fake.fetch(fake.baseUrl + "/v1/notifications", { headers })
  expect(status).toBe(200)
})
`

const effectFile = /node_modules\/(?:\.pnpm\/)?effect/

const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => statSync(join(folder, name)))
    .reduce((total, file) => total + (file.isFile() ? file.size : 0), 0)

describe("the packed test harness by itself", () => {
  const packed = packedTarballs(["test-harness"])
  let consumer: Consumer
  let installed = ""

  const install = (name: string, registry: Readonly<Record<string, string>>) =>
    makeConsumer({
      folder: join(packed.folder, name),
      tarballs: packed.all(),
      registry,
      nodeVersion: catalogVersion("node")
    })

  const outputOf = (own: Consumer, runtime: string, ...words: ReadonlyArray<string>) => {
    const { output, status } = own.run(runtime, words)
    assert.strictEqual(status, 0, output)
    return output.trim()
  }

  /** Checks a program, and returns the files that the compiler loaded. */
  const typeCheck = (own: Consumer, file: string, settings: { readonly skipLibCheck: boolean }) => {
    const compilerOptions = {
      module: "nodenext",
      target: "es2022",
      lib: ["es2022", "dom", "dom.iterable"],
      types: [],
      noEmit: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      ...settings
    }
    own.write("tsconfig.json", JSON.stringify({ compilerOptions, files: [file] }))
    return outputOf(own, command("tsc"), "-p", ".", "--listFiles")
  }

  beforeAll(async () => {
    consumer = install("alone", {})
    installed = join(consumer.folder, "node_modules", "@signalbox", "test-harness")
    consumer.write("Harness.mjs", await script("Harness"))
    consumer.write("require.cjs", requiring)
    consumer.write("peer.mjs", missingPeer)
  })

  it("is one package of at most 1.3 MB, without dependencies or required peers", () => {
    const { dependencies, peerDependenciesMeta } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"))
    assert.strictEqual(dependencies, undefined)
    assert.deepStrictEqual(peerDependenciesMeta, { effect: { optional: true }, vitest: { optional: true } })
    const packages = readdirSync(join(consumer.folder, "node_modules", ".pnpm"))
    assert.lengthOf(
      packages.filter((name) => name.includes("@")),
      1
    )
    assert.isAtMost(bytesIn(installed), 1_300_000)
  })

  for (const runtime of ["Node 20", "Node 22", "Node 24", "Bun"] as const) {
    it(`runs on ${runtime}`, () => {
      assert.deepStrictEqual(JSON.parse(outputOf(consumer, runtimes[runtime], "Harness.mjs")), printed)
    })
    it(`can be required on ${runtime}`, () => {
      assert.include(outputOf(consumer, runtimes[runtime], "require.cjs"), "127.0.0.1")
    })
  }

  it("runs on Deno", () => {
    assert.deepStrictEqual(JSON.parse(outputOf(consumer, runtimes.Deno, "run", "--allow-all", "Harness.mjs")), printed)
  })

  it("exports what its sources export, and nothing else", () => {
    consumer.write(
      "exports.mjs",
      `import * as main from "@signalbox/test-harness"
import * as server from "@signalbox/test-harness/server"
console.log(JSON.stringify([Object.keys(main), Object.keys(server)]))`
    )
    assert.deepStrictEqual(JSON.parse(outputOf(consumer, runtimes["Node 24"], "exports.mjs")), [
      Object.keys(harness).toSorted(),
      Object.keys(server).toSorted()
    ])
  })

  it("has the fake as a command", () => {
    const bin = join(consumer.folder, "node_modules", ".bin", "signalbox-fake")
    assert.match(outputOf(consumer, bin, "--help"), /signalbox-fake/)
  })

  it("names the package that the entry for Effect users needs", () => {
    assert.match(outputOf(consumer, runtimes["Node 24"], "peer.mjs"), /Cannot find package 'effect'/)
  })

  it("is a fixture of vitest without effect", () => {
    const tests = install("vitest", { vitest: catalogVersion("vitest") })
    tests.write("fake.test.js", vitestTest)
    tests.write("types.ts", `export { test } from "@signalbox/test-harness/vitest"\n`)
    assert.include(outputOf(tests, join(tests.folder, "node_modules", ".bin", "vitest"), "run"), "1 passed")
    // The declarations of vitest itself do not pass without `skipLibCheck`.
    assert.notMatch(typeCheck(tests, "types.ts", { skipLibCheck: true }), effectFile)
  })

  it("type-checks with its declarations, and loads none of Effect's", () => {
    consumer.write("Harness.ts", source("Harness"))
    assert.notMatch(typeCheck(consumer, "Harness.ts", { skipLibCheck: false }), effectFile)
  })

  it("serves requests of the application's own copy of Effect, on its clock", async () => {
    const withEffect = install("effect", { effect: catalogVersion("effect") })
    withEffect.write("HarnessEffect.mjs", await script("HarnessEffect"))
    assert.deepStrictEqual(JSON.parse(outputOf(withEffect, runtimes["Node 24"], "HarnessEffect.mjs")), {
      status: 200,
      listed: 10,
      reset: "TypeError: fetch failed",
      waited: "UnmetExpectation",
      unfired: true
    })
  })
})
