import { runtimes } from "@signalbox/runtimes"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { endings } from "./EndingTable.ts"

interface Seen {
  readonly socketFetch: unknown
  readonly fakeFetch: unknown
  readonly socketLayer: unknown
  readonly fakeLayer: unknown
}

const minute = 60_000

/** Up to Node 22, `fetch` has used up the bytes of a body, as Effect's client sends it, when a redirect wants them again. */
const isDefectOfNode = (seen: unknown): boolean => JSON.stringify(seen).includes("on a detached ArrayBuffer")

describe("what the client sees", () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-endings-"))
  const program = join(folder, "observeEndings.mjs")

  beforeAll(() =>
    build({
      entryPoints: [join(import.meta.dirname, "observeEndings.ts")],
      outfile: program,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      logLevel: "silent"
    })
  )
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const observeOn = (executable: string) =>
    new Promise<Readonly<Record<string, Seen>>>((resolve, reject) => {
      execFile(executable, [program], { timeout: minute }, (error, stdout, stderr) => {
        if (error === null) resolve(JSON.parse(stdout))
        else reject(new Error(stderr, { cause: error }))
      })
    })

  describe.concurrent.each(["Node 20", "Node 22", "Node 24"] as const)("on %s", (runtime) => {
    let observed: Readonly<Record<string, Seen>>
    beforeAll(async () => {
      observed = await observeOn(runtimes[runtime])
    }, minute)

    for (const { name } of endings) {
      it(name, () => {
        const seen = observed[name]
        assert.isDefined(seen?.socketFetch)
        assert.deepStrictEqual(seen?.fakeFetch, seen?.socketFetch, "fetch")
        if (!isDefectOfNode(seen?.socketLayer)) {
          assert.deepStrictEqual(seen?.fakeLayer, seen?.socketLayer, "Layer")
        }
      })
    }
  })
})
