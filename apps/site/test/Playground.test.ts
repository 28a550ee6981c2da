import { assert, describe, it } from "@effect/vitest"
import { startProgram } from "@signalbox/testing/Program"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { gzipSync } from "node:zlib"
import { declarations, scenarios } from "../generate/Playground.ts"
import { faultCode, faultLabels, isFaultLabel } from "../playground/Faults.ts"
import { hashOf, placeOf } from "../playground/Place.ts"
import { located, missingModules, runnable, vitestTest } from "../playground/Program.ts"
import { makeTypeService } from "../playground/TypeService.ts"
import { compressedSize, dist } from "./SiteServer.ts"

const home = join(import.meta.dirname, "..")

const all = scenarios(home)

describe("the types of the playground", () => {
  const { effect, own } = declarations()
  const service = makeTypeService(new Map(Object.entries({ ...own, ...effect })))
  const problemsOf = (code: string, before = "") => service.problems({ before, code })

  it.each(all)("finds no problem in the scenario $name", ({ code }) => {
    assert.deepStrictEqual(problemsOf(code), [])
  })

  it("reports a wrong type at its place, below the code above it", () => {
    const before = 'import { createClientFromEnv } from "@signalbox/sdk"\nconst client = createClientFromEnv()'
    const code = 'const { data } = await client.events.list({ limit: "3" })'
    const [problem, ...others] = problemsOf(code, before)
    assert.strictEqual(code.slice(problem?.from, problem?.to), "limit")
    assert.match(problem?.message ?? "", /'string' is not assignable to type 'number/)
    assert.deepStrictEqual(others, [])
  })

  it("completes operations and values, and shows types with their documentation", () => {
    const code = 'import { createClientFromEnv } from "@signalbox/sdk"\nconst client = createClientFromEnv()\nclient.'
    const labels = service.completions({ before: "", code }, code.length).map(({ label }) => label)
    assert.includeMembers(labels, ["credentials", "messages", "events"])
    const at = service.typeAt({ before: "", code }, code.indexOf("createClientFromEnv"))
    assert.match(at?.text ?? "", /createClientFromEnv/)
    assert.match(service.details({ before: "", code }, code.length, "events"), /events/)
  })

  it("reports wrong types of Effect", () => {
    const code = 'import * as Effect from "effect/Effect"\nconst n: Effect.Effect<number> = Effect.succeed("a")'
    assert.lengthOf(problemsOf(code), 1)
  })

  it("loads at most 1.5 MB", () => {
    const files = readdirSync(join(dist, "playground")).filter((file) => file.startsWith("types"))
    const bytes = files.map((file) => gzipSync(readFileSync(join(dist, "playground", file))).length)
    assert.lengthOf(files, 3)
    assert.isAtMost(
      bytes.reduce((sum, size) => sum + size, 0),
      1_500_000
    )
  })
})

describe("opening the playground", () => {
  it("loads at most 560 KB besides the types, with the files that its service worker stores", () => {
    const worker = readFileSync(join(dist, "sw.js"), "utf8")
    const stored = Array.from(worker.matchAll(/"(\/[^"]*)"/g), ([, path = ""]) => path)
    assert.includeMembers(stored, ["/playground/", "/playground/worker.js", "/playground/inspector.html"])
    assert.isAtMost(
      stored.reduce((sum, path) => sum + compressedSize(path), 0),
      560_000
    )
  })
})

describe("a program of the playground", () => {
  it("keeps its lines, imports by URL, and reports its claims", () => {
    const sources = { before: "const a = 1 // => 1", code: 'import "@signalbox/sdk"\na + 1 // => 2' }
    const lines = runnable(sources, "http://site", (code) => code).split("\n")
    assert.deepStrictEqual(lines, [
      "const a = 1",
      "globalThis.__begin()",
      'import "http://site/playground/sdk.js"',
      ';globalThis.__claim("a + 1", a + 1, 2)',
      "export {}"
    ])
    assert.strictEqual(
      located("Error: stop", "Error: stop\n  at blob:http://site/1:4:1", sources),
      "Error: stop (line 2)"
    )
    assert.deepStrictEqual(missingModules('import fs from "node:fs"\nimport "@signalbox/sdk"'), ["node:fs"])
  })

  it.each(["", "ä → 1\n// 'x'"])("is in its address, with its fault and the request that meets it: %j", (code) => {
    const place = { scenario: "drift", fault: { label: "503, once", request: 2 }, ...(code && { code }) } as const
    assert.deepStrictEqual(placeOf(hashOf(place)), place)
    assert.deepStrictEqual(placeOf("#code=%%%&fault=unknown&request=0"), {})
  })

  it("meets a fault whose code is valid", () => {
    assert.deepStrictEqual(
      faultLabels.filter(isFaultLabel).map((label) => faultCode({ label, request: 2 })),
      [
        "Fault.status(503, { request: 2 })",
        'Fault.status(503, { times: "always", request: 2 })',
        "Fault.rateLimited({ retryAfterMs: 1000, request: 2 })",
        'Fault.reset({ at: "received", request: 2 })',
        'Fault.reset({ at: "committed", request: 2 })',
        "Fault.latency(15000, { request: 2 })",
        "Fault.html(502, { request: 2 })",
        'Fault.cutBody({ afterBytes: 10, failure: "reset", request: 2 })',
        'Fault.drift({ kind: "unknown-enum-value", request: 2 })'
      ]
    )
  })

  it("becomes a test that vitest runs", { timeout: 300_000 }, async () => {
    const folder = mkdtempSync(join(home, "test", ".saved-"))
    try {
      for (const { code, name } of all) {
        writeFileSync(join(folder, `${name}.test.ts`), vitestTest({ before: "", code }, undefined))
      }
      const claimed = {
        before: "const a = 1",
        code: 'import { createClientFromEnv } from "@signalbox/sdk"\na + 1 // => 2\nconst { data } = await createClientFromEnv().events.list({ limit: 3 })\ndata.length // => 3'
      }
      writeFileSync(join(folder, "claims.test.ts"), vitestTest(claimed, faultCode({ label: "503, once", request: 1 })))
      // The fault that the first scenario is about makes its test fail.
      const [lost] = all
      const fault = faultCode({ label: "connection reset after the change" })
      writeFileSync(join(folder, "fails.test.ts"), vitestTest({ before: "", code: lost?.code ?? "" }, fault))
      const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs")
      writeFileSync(join(folder, "vitest.config.ts"), "export default { test: { isolate: false } }")
      const report = join(folder, "report.json")
      const words = [vitest, "run", "--root", folder, "--reporter=json", "--outputFile", report]
      const { stderr } = await startProgram(process.execPath, words, { cwd: home }).ended
      const {
        testResults
      }: { readonly testResults: ReadonlyArray<{ readonly name: string; readonly status: string }> } = JSON.parse(
        readFileSync(report, "utf8")
      )
      const failed = testResults.filter(({ status }) => status !== "passed").map(({ name }) => name)
      assert.deepStrictEqual(failed, [join(folder, "fails.test.ts")], stderr)
      assert.lengthOf(testResults, all.length + 2)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
