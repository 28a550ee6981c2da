import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { benchSources } from "./BaseTree.ts"
import { bundleProgram, type Program } from "./Bundle.ts"
import type { MeasureRatios } from "./Comparison.ts"
import { launch, reportCpu } from "./Launch.ts"
import { listPrograms } from "./ListPrograms.ts"
import { summarise } from "./Measure.ts"

const execute = promisify(execFile)

/** The checkouts that are compared. */
export interface Trees {
  readonly base: string
  readonly branch: string
}

const sides = ["base", "branch"] as const

const bundled = (tree: string, program: Program) => bundleProgram(program, join(tree, benchSources))

const measured: Program = { text: `export { compared } from "./processes/compared.ts"`, platform: "node" }

/** Bundles what processes measure; `folder` receives the files. */
export const bundleTrees = async (trees: Trees, folder: string): Promise<Trees> => {
  const files = { base: join(folder, "base.mjs"), branch: join(folder, "branch.mjs") }
  for (const side of sides) writeFileSync(files[side], (await bundled(trees[side], measured)).code)
  return files
}

/** Measures a suite of both bundles in a process; `slowed` makes the branch do a third more work. */
export const comparingInProcess =
  (suite: string, { base, branch }: Trees, slowed: boolean): MeasureRatios =>
  async () => {
    const script = fileURLToPath(new URL("processes/turns.ts", import.meta.url))
    // Without threads for the compiler and the garbage collector, which other programs would delay.
    const words = ["--single-threaded", script, suite, base, branch, ...(slowed ? ["slowed"] : [])]
    const { stdout } = await execute(process.execPath, words)
    // Printed by `turns.ts`.
    return JSON.parse(stdout) as Record<string, number>
  }

const clients = { "sdk, events only": listPrograms.sdk, sdk: listPrograms["sdk whole"] }

const clientNames = Object.keys(clients)

/** The bundled clients, in the order of their names. */
const bundledClients = (tree: string) => Promise.all(Object.values(clients).map((program) => bundled(tree, program)))

/** Bytes of the bundled clients of both checkouts, compressed. */
export const sizesOf = async ({ base, branch }: Trees): Promise<ReadonlyArray<readonly [string, number, number]>> => {
  const [before, after] = [await bundledClients(base), await bundledClients(branch)]
  return clientNames.map((name, index) => [name, before[index]?.gzipBytes ?? NaN, after[index]?.gzipBytes ?? NaN])
}

const launches = 9

/** Processor time of loading the bundled clients of both checkouts, over that of an empty process. */
export const comparingStarts = async (trees: Trees, folder: string): Promise<MeasureRatios> => {
  const write = (name: string, code: string) => {
    const file = join(folder, `${name}.mjs`)
    writeFileSync(file, code + reportCpu)
    return file
  }
  const empty = write("empty", "")
  const filesOf = async (side: keyof Trees) =>
    (await bundledClients(trees[side])).map(({ code }, index) => write(`${side}-${index}`, code))
  const files = { base: await filesOf("base"), branch: await filesOf("branch") }
  const cpuOf = async (file: string) => (await launch(file)).cpu ?? NaN
  return async () => {
    const samples = clientNames.map(() => ({ base: [] as Array<number>, branch: [] as Array<number> }))
    const least: Array<number> = []
    for (let turn = 0; turn < launches; turn++) {
      least.push(await cpuOf(empty))
      for (const side of sides) {
        for (const [index, file] of files[side].entries()) samples[index]?.[side].push(await cpuOf(file))
      }
    }
    // The undisturbed launches: other programs only make them longer.
    const cost = (times: ReadonlyArray<number>) => Math.max(0.1, summarise(times).low - summarise(least).low)
    return Object.fromEntries(
      clientNames.map((name, index) => {
        const { base = [], branch = [] } = samples[index] ?? {}
        return [name, cost(branch) / cost(base)]
      })
    )
  }
}
