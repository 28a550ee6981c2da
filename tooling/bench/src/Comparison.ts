/**
 * Whether a branch is slower than its base, from pairs of processes that took turns.
 */
import { summarise, type Sample } from "./Measure.ts"

/** The rounds of one contestant in a process of the base and one of the branch that took turns. */
export interface Pair {
  readonly base: ReadonlyArray<Sample>
  readonly branch: ReadonlyArray<Sample>
}

/** Cost of the branch over that of its base from which on it counts as slower. */
const slowerFrom = 1.16

/** The processor time of the undisturbed rounds: other programs only make rounds longer. */
const costOf = (samples: ReadonlyArray<Sample>): number => summarise(samples.map(({ cpu, wall }) => cpu ?? wall)).low

/** The cost of the branch over that of its base: the median of pairs, because two processes of one program can differ by a quarter. */
export const ratioOf = (pairs: ReadonlyArray<Pair>): number =>
  summarise(pairs.map(({ base, branch }) => costOf(branch) / costOf(base))).median

/** Measures a process of each checkout in turns: a pair of every contestant. */
export type MeasurePair = () => Promise<ReadonlyMap<string, Pair>>

/** The cost of a contestant in the branch over that in the base. */
export interface Compared {
  readonly name: string
  readonly ratio: number
  readonly isSlower: boolean
}

const mostPairs = 12

/** A wrong report wastes more than a slow branch that goes unnoticed once: it needs one pair more. */
const isDecided = (pairs: ReadonlyArray<Pair>): boolean => {
  const slower = pairs.filter((pair) => ratioOf([pair]) >= slowerFrom).length
  const lead = slower - (pairs.length - slower)
  return lead <= -3 || lead >= 4
}

/** Compares every contestant, with pairs until those on one side of the limit have a clear majority. */
export const compareContestants = async (measure: MeasurePair): Promise<ReadonlyArray<Compared>> => {
  const found = new Map<string, ReadonlyArray<Pair>>()
  for (let count = 0; count < mostPairs; count++) {
    for (const [name, pair] of await measure()) {
      const pairs = found.get(name) ?? []
      if (!isDecided(pairs)) found.set(name, [...pairs, pair])
    }
    if ([...found.values()].every(isDecided)) break
  }
  return [...found].map(([name, pairs]) => {
    const ratio = ratioOf(pairs)
    return { name, ratio, isSlower: ratio >= slowerFrom }
  })
}
