import { runtimes } from "@signalbox/runtimes"
import { afterAll, assert, beforeAll, describe, expect, it } from "@effect/vitest"
import { build } from "esbuild"
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { failures } from "./FailureTable.ts"
import { faultsPage, type Observed } from "./FaultsPage.ts"

const names = ["Node 20", "Node 22", "Node 24"] as const

/** Up to Node 22, `fetch` has used up the bytes of a body, as Effect's client sends it, when a redirect wants them again. */
const isDefectOfNode = (seen: unknown): boolean => JSON.stringify(seen).includes("on a detached ArrayBuffer")

const observeOn = (executable: string, program: string) =>
  new Promise<Observed>((resolve, reject) => {
    execFile(executable, [program], (error, stdout, stderr) => {
      if (error === null) resolve(JSON.parse(stdout))
      else reject(new Error(stderr, { cause: error }))
    })
  })

describe("what the client sees", () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-failures-"))
  let observed: ReadonlyMap<string, Observed>

  beforeAll(async () => {
    const program = join(folder, "observeFailures.mjs")
    await build({
      entryPoints: [join(import.meta.dirname, "observeFailures.ts")],
      outfile: program,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      logLevel: "silent"
    })
    const seen = new Map<string, Observed>()
    // Sequential, so that none gets a port that another one has just released.
    for (const name of names) seen.set(name, await observeOn(runtimes[name], program))
    observed = seen
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  describe.each(names)("on %s", (runtime) => {
    for (const { name } of failures) {
      it(name, () => {
        const seen = observed.get(runtime)?.[name]
        assert.isDefined(seen?.socketFetch)
        assert.deepStrictEqual(seen?.fakeFetch, seen?.socketFetch, "fetch")
        if (!isDefectOfNode(seen?.socketLayer)) {
          assert.deepStrictEqual(seen?.fakeLayer, seen?.socketLayer, "Layer")
        }
      })
    }
  })

  it("docs/fake-faults.md matches the observations (vitest run test/failures -u updates it)", async () => {
    await expect(faultsPage(observed)).toMatchFileSnapshot("../../../../docs/fake-faults.md")
  })
})
