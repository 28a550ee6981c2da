import { type Contestant, runTimes, summarise, timesIn } from "./Measure.ts"

const warmUpMs = 500
const batchMs = 10
const batches = 30

/**
 * The cost of a contestant over that of its base, in processor time. Batches of equally many runs take turns in one process:
 * other programs disturb both alike. The low quartile leaves out batches that collect garbage of the whole heap.
 */
const ratioOf = async (base: Contestant, branch: Contestant): Promise<number> => {
  const turn = async (times: number): Promise<readonly [number, number]> => [
    (await runTimes(base, times)).cpu,
    (await runTimes(branch, times)).cpu
  ]
  // The first run can take longer than the others, because it builds an index.
  await turn(1)
  let times = 1
  for (let left = warmUpMs; left > 0;) {
    const [cpu] = await turn(times)
    left -= cpu * times
    times = timesIn(batchMs, { cpu })
  }
  const turns: Array<readonly [number, number]> = []
  for (let batch = 0; batch < batches; batch++) turns.push(await turn(times))
  const cost = (side: 0 | 1) => summarise(turns.map((both) => both[side])).low
  return cost(1) / cost(0)
}

/** The cost of each contestant of the branch over that of its base, by name. */
export const inTurns = async (
  base: ReadonlyArray<Contestant>,
  branch: ReadonlyArray<Contestant>
): Promise<Readonly<Record<string, number>>> => {
  const ratios: Record<string, number> = {}
  for (const one of base) {
    const other = branch.find(({ name }) => name === one.name)
    // Both have the benchmarks of the branch, and the same names.
    if (other !== undefined) ratios[one.name] = await ratioOf(one, other)
  }
  return ratios
}
