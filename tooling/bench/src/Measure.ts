/**
 * One timed batch: milliseconds for one run of the contestant, by the clock and, where it can be known, on the processor.
 */
export interface Sample {
  readonly wall: number
  readonly cpu?: number
}

/** One side of a comparison. `run` may return a promise; its result is kept alive so that no work is optimised away. */
export interface Contestant {
  readonly name: string
  readonly run: () => unknown
}

/** The middle value, and the quartiles around it. */
export interface Summary {
  readonly median: number
  readonly low: number
  readonly high: number
}

/** Samples by contestant, one of each for every round: the same index is the same round. */
export type Rounds = ReadonlyMap<string, ReadonlyArray<Sample>>

const quantile = (sorted: ReadonlyArray<number>, share: number): number => {
  const position = (sorted.length - 1) * share
  const below = sorted[Math.floor(position)] ?? Number.NaN
  const above = sorted[Math.ceil(position)] ?? Number.NaN
  return below + (above - below) * (position - Math.floor(position))
}

/** Median and quartiles of a list of numbers. */
export const summarise = (values: ReadonlyArray<number>): Summary => {
  const sorted = values.toSorted((a, b) => a - b)
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) }
}

/** The value below which the given share of the list lies; `percentile(values, 0.95)` is the p95. */
export const percentile = (values: ReadonlyArray<number>, share: number): number =>
  quantile(
    values.toSorted((a, b) => a - b),
    share
  )

let kept: unknown

/** How many runs take about the given processor time. */
export const timesIn = (ms: number, { cpu }: Pick<Required<Sample>, "cpu">): number => Math.max(1, Math.round(ms / cpu))

/** Runs a contestant several times: what one run took. */
export const runTimes = async (contestant: Contestant, times: number): Promise<Required<Sample>> => {
  const cpuStart = process.cpuUsage()
  const start = performance.now()
  for (let index = 0; index < times; index++) {
    const result = contestant.run()
    kept = result instanceof Promise ? await result : result
  }
  const wall = performance.now() - start
  const cpu = process.cpuUsage(cpuStart)
  return { wall: wall / times, cpu: (cpu.user + cpu.system) / 1000 / times }
}

/** A contestant that is warm and knows how many runs make one batch. */
export interface Prepared {
  readonly contestant: Contestant
  readonly times: number
}

/**
 * Runs every contestant until it is warm, and sizes its batches to about `batchMs`, both by the processor: next to other
 * programs, the clock would leave it cold and its batches short.
 */
export const prepare = async (
  contestants: ReadonlyArray<Contestant>,
  { warmUpMs = 400, batchMs = 40 }: { readonly warmUpMs?: number; readonly batchMs?: number } = {}
): Promise<ReadonlyArray<Prepared>> => {
  const prepared: Array<Prepared> = []
  for (const contestant of contestants) {
    let sample = await runTimes(contestant, 1)
    // From here: the first run can take longer than that, because it builds an index.
    let left = warmUpMs
    while (left > 0) {
      const times = timesIn(5, sample)
      sample = await runTimes(contestant, times)
      left -= sample.cpu * times
    }
    prepared.push({ contestant, times: timesIn(batchMs, sample) })
  }
  return prepared
}

/**
 * One round: a batch of every contestant, in turn. A shorter batch that is not measured precedes each: its first runs pay
 * for the garbage and the cold caches that the contestant before left behind.
 */
export const oneRound = async (prepared: ReadonlyArray<Prepared>): Promise<Readonly<Record<string, Sample>>> => {
  const samples: Record<string, Sample> = {}
  for (const { contestant, times } of prepared) {
    await runTimes(contestant, Math.ceil(times / 4))
    samples[contestant.name] = await runTimes(contestant, times)
  }
  return samples
}

/** Collects rounds from any source, so that contestants in several processes still take turns (A B A B). */
export const collect = async (
  count: number,
  sources: ReadonlyArray<() => Promise<Readonly<Record<string, Sample>>>>
): Promise<Rounds> => {
  const rounds = new Map<string, Array<Sample>>()
  for (let round = 0; round < count; round++) {
    for (const source of sources) {
      for (const [name, sample] of Object.entries(await source())) {
        const samples = rounds.get(name)
        if (samples === undefined) rounds.set(name, [sample])
        else samples.push(sample)
      }
    }
  }
  return rounds
}

/** Keeps `kept` observable, so that the engine cannot prove the measured work useless. */
export const lastResult = (): unknown => kept
