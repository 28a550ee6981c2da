import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { comparedProcess } from "./BaseTree.ts"
import { bundleProgram } from "./Bundle.ts"
import type { MeasurePair, Pair } from "./Comparison.ts"
import { launch, reportCpu } from "./Launch.ts"
import { listPrograms } from "./ListPrograms.ts"
import { type Sample, summarise } from "./Measure.ts"
import { openRounds } from "./Rounds.ts"

/** The checkouts that are compared. */
export interface Trees {
  readonly base: string
  readonly branch: string
}

/** One measurement of both checkouts in turns. */
type Turn = Readonly<Record<keyof Trees, Readonly<Record<string, Sample>>>>

const pairOf = (turns: ReadonlyArray<Turn>): ReadonlyMap<string, Pair> => {
  const of = (side: keyof Trees, name: string): ReadonlyArray<Sample> => turns.flatMap((turn) => turn[side][name] ?? [])
  return new Map(
    Object.keys(turns[0]?.base ?? {}).map((name) => [name, { base: of("base", name), branch: of("branch", name) }])
  )
}

const rounds = 8

/** Rounds of a suite in a process of each checkout; `slowed` makes the branch do a third more work. */
export const comparingProcesses =
  (suite: string, trees: Trees, slowed: boolean): MeasurePair =>
  async () => {
    // Both get warm at the same time, which takes longer than the rounds.
    const [base, branch] = await Promise.all([
      openRounds(comparedProcess(trees.base), [suite]),
      openRounds(comparedProcess(trees.branch), slowed ? [suite, "slowed"] : [suite])
    ])
    const turns: Array<Turn> = []
    for (let round = 0; round < rounds; round++) turns.push({ base: await base.round(), branch: await branch.round() })
    base.close()
    branch.close()
    return pairOf(turns)
  }

const compared = { "sdk, events only": listPrograms.sdk, sdk: listPrograms["sdk whole"] }

const bundled = async (tree: string) =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(compared).map(
        async ([name, program]) => [name, await bundleProgram(program, join(tree, "tooling", "bench"))] as const
      )
    )
  )

/** Bytes of the bundled clients of both checkouts, compressed. */
export const sizesOf = async ({ base, branch }: Trees): Promise<ReadonlyArray<readonly [string, number, number]>> => {
  const [before, after] = [await bundled(base), await bundled(branch)]
  return Object.keys(compared).map((name) => [name, before[name]?.gzipBytes ?? NaN, after[name]?.gzipBytes ?? NaN])
}

const launches = 9

/** Processor time of loading the bundled clients of both checkouts, over that of an empty process. */
export const comparingStarts = async (trees: Trees, folder: string): Promise<MeasurePair> => {
  const write = (name: string, code: string) => {
    const file = join(folder, `${name}.mjs`)
    writeFileSync(file, code + reportCpu)
    return file
  }
  const empty = write("empty", "")
  const filesOf = async (side: keyof Trees) =>
    Object.entries(await bundled(trees[side])).map(
      ([name, { code }], index) => [name, write(`${side}-${index}`, code)] as const
    )
  const files = { base: await filesOf("base"), branch: await filesOf("branch") }
  return async () => {
    const turns: Array<{ base: Record<string, Sample>; branch: Record<string, Sample> }> = []
    const least: Array<number> = []
    for (let turn = 0; turn < launches; turn++) {
      const sides = { base: {} as Record<string, Sample>, branch: {} as Record<string, Sample> }
      least.push((await launch(empty)).cpu ?? 0)
      for (const side of ["base", "branch"] as const) {
        for (const [name, file] of files[side]) sides[side][name] = await launch(file)
      }
      turns.push(sides)
    }
    const start = summarise(least).low
    const over = (samples: Record<string, Sample>) =>
      Object.fromEntries(
        Object.entries(samples).map(([name, { cpu = 0, wall }]) => [name, { wall, cpu: Math.max(0.1, cpu - start) }])
      )
    return pairOf(turns.map(({ base, branch }) => ({ base: over(base), branch: over(branch) })))
  }
}
