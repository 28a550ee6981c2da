/**
 * Compares the time and size of this checkout with those of its base, in turns.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseOptions, runTool, UsageError } from "@signalbox/repository/CommandLine"
import { baseOf, branchTree, withBaseTree } from "./BaseTree.ts"
import { compareContestants, type Compared } from "./Comparison.ts"
import { bundleTrees, comparingInProcess, comparingStarts, sizesOf, type Trees } from "./MeasuredTrees.ts"

const suites = ["decode", "call", "fake", "start", "size"]

/** Growth of a bundle from which on it is reported; sizes have no noise. */
const largerFrom = 1.02

const print = (suite: string, { isSlower, name, ratio }: Compared): void =>
  console.log(`${suite}: ${name}: ${ratio.toFixed(2)} × the base${isSlower ? ", SLOWER" : ""}`)

const sizes = async (trees: Trees): Promise<ReadonlyArray<Compared>> =>
  (await sizesOf(trees)).map(([name, before, after]) => ({
    name: `${name}, ${before} → ${after} bytes`,
    ratio: after / before,
    isSlower: after / before >= largerFrom
  }))

const compareSuites = async (
  wanted: ReadonlyArray<string>,
  trees: Trees,
  { folder, isSlowed }: { readonly folder: string; readonly isSlowed: boolean }
): Promise<ReadonlyArray<Compared>> => {
  const bundles = await bundleTrees(trees, folder)
  const results: Array<Compared> = []
  for (const suite of wanted) {
    const found =
      suite === "size"
        ? await sizes(trees)
        : await compareContestants(
            suite === "start" ? await comparingStarts(trees, folder) : comparingInProcess(suite, bundles, isSlowed)
          )
    for (const one of found) print(suite, one)
    results.push(...found)
  }
  return results
}

await runTool(async () => {
  const { positionals, values } = parseOptions(process.argv.slice(2), {
    options: { suite: { type: "string", multiple: true }, slowed: { type: "boolean", default: false } },
    allowPositionals: true
  })
  const wanted = values.suite ?? suites
  const unknown = wanted.find((name) => !suites.includes(name))
  if (unknown !== undefined) throw new UsageError(`unknown suite "${unknown}"; expected one of: ${suites.join(", ")}`)
  const commit = baseOf(positionals[0] ?? "main")
  const folder = mkdtempSync(join(tmpdir(), "signalbox-compared-"))
  try {
    const results = await withBaseTree(commit, (base) =>
      compareSuites(wanted, { base, branch: branchTree }, { folder, isSlowed: values.slowed })
    )
    const slower = results.filter(({ isSlower }) => isSlower)
    console.log(
      slower.length === 0 ? `nothing is slower than ${commit}` : `${slower.length} of ${results.length} slower`
    )
    return slower.length === 0 ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
