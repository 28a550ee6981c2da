import { runtimes } from "@signalbox/runtimes"
import { afterAll, assert, beforeAll, describe, expect, it } from "@effect/vitest"
import { build } from "esbuild"
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type FailureCase, failures } from "./FailureTable.ts"
import { faultsPage, type Observed, type Seen } from "./FaultsPage.ts"
import { closeServers, observe } from "./ObserveFailures.ts"

const otherRuntimes = ["Node 20", "Node 22"] as const

const observeOn = (executable: string, program: string) =>
  new Promise<Observed>((resolve, reject) => {
    execFile(executable, [program], (error, stdout, stderr) => {
      if (error === null) resolve(JSON.parse(stdout))
      else reject(new Error(stderr, { cause: error }))
    })
  })

/** Builds the program that prints failures, and runs it on the other runtimes. */
const observeOthers = async (): Promise<ReadonlyMap<string, Observed>> => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-failures-"))
  try {
    const program = join(folder, "printFailures.mjs")
    await build({
      entryPoints: [join(import.meta.dirname, "printFailures.ts")],
      outfile: program,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      logLevel: "silent"
    })
    const seen = new Map<string, Observed>()
    // Sequential, so that none gets a port that another one has just released.
    for (const name of otherRuntimes) seen.set(name, await observeOn(runtimes[name], program))
    return seen
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const check = (seen: Seen | undefined) => {
  assert.isDefined(seen?.socketFetch)
  assert.deepStrictEqual(seen?.fakeFetch, seen?.socketFetch, "fetch")
  assert.deepStrictEqual(seen?.fakeLayer, seen?.socketLayer, "Layer")
}

describe("what the client sees", () => {
  const own = new Map<string, Seen>()
  const observeOwn = async (failure: FailureCase): Promise<Seen> => {
    const seen = own.get(failure.name) ?? (await observe(failure))
    own.set(failure.name, seen)
    return seen
  }
  afterAll(closeServers)

  describe("on Node 24, which runs the tests", () => {
    it("is their runtime", () => assert.match(process.version, /^v24\./u))
    for (const failure of failures) it(failure.name, async () => check(await observeOwn(failure)))
  })

  describe("on other runtimes", () => {
    let others: ReadonlyMap<string, Observed>
    beforeAll(async () => {
      others = await observeOthers()
    })

    describe.each(otherRuntimes)("on %s", (runtime) => {
      for (const { name } of failures) it(name, () => check(others.get(runtime)?.[name]))
    })

    it("docs/fake-faults.md matches the observations (vitest run test/failures -u updates it)", async () => {
      const seen: Record<string, Seen> = {}
      for (const failure of failures) seen[failure.name] = await observeOwn(failure)
      const page = faultsPage(new Map([...others, ["Node 24", seen]]))
      await expect(page).toMatchFileSnapshot("../../../../docs/fake-faults.md")
    })
  })
})
