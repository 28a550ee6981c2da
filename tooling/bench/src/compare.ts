/**
 * Compares the time and size of this checkout with those of its base, in turns.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseOptions, runTool, UsageError } from "@signalbox/repository/CommandLine"
import { baseOf, branchTree, withBaseTree } from "./BaseTree.ts"
import { compareContestants, type Compared } from "./Comparison.ts"
import { comparingProcesses, comparingStarts, sizesOf, type Trees } from "./MeasuredTrees.ts"

const processSuites = ["decode", "call", "fake"] as const
const suites = [...processSuites, "start", "size"] as const

/** Growth of a bundle from which on it is reported; sizes have no noise. */
const largerFrom = 1.02

const print = (suite: string, { isSlower, name, ratio }: Compared): void =>
  console.log(`${suite}: ${name}: ${ratio.toFixed(2)} × the base${isSlower ? ", SLOWER" : ""}`)

const starts = async (trees: Trees): Promise<ReadonlyArray<Compared>> => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-start-"))
  try {
    return await compareContestants(await comparingStarts(trees, folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const sizes = async (trees: Trees): Promise<ReadonlyArray<Compared>> =>
  (await sizesOf(trees)).map(([name, before, after]) => ({
    name: `${name}, ${before} → ${after} bytes`,
    ratio: after / before,
    isSlower: after / before >= largerFrom
  }))

await runTool(async () => {
  const { positionals, values } = parseOptions(process.argv.slice(2), {
    options: { suite: { type: "string", multiple: true }, slowed: { type: "boolean", default: false } },
    allowPositionals: true
  })
  const wanted = values.suite ?? suites
  const unknown = wanted.find((name) => !suites.some((suite) => suite === name))
  if (unknown !== undefined) throw new UsageError(`unknown suite "${unknown}"; expected one of: ${suites.join(", ")}`)
  const commit = baseOf(positionals[0] ?? "main")
  const results = await withBaseTree(commit, async (base) => {
    const trees = { base, branch: branchTree }
    const all: Array<Compared> = []
    for (const suite of wanted) {
      const processes = processSuites.find((name) => name === suite)
      const found =
        processes !== undefined
          ? await compareContestants(comparingProcesses(processes, trees, values.slowed))
          : await (suite === "size" ? sizes : starts)(trees)
      for (const one of found) print(suite, one)
      all.push(...found)
    }
    return all
  })
  const slower = results.filter(({ isSlower }) => isSlower)
  console.log(slower.length === 0 ? `nothing is slower than ${commit}` : `${slower.length} of ${results.length} slower`)
  return slower.length === 0 ? 0 : 1
})
