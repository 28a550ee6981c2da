/**
 * Whether a branch is slower than its base, from pairs of processes that took turns.
 */
import { summarise, type Sample } from "./Measure.ts"

/** The rounds of one contestant in a process of the base and one of the branch that took turns. */
export interface Pair {
  readonly base: ReadonlyArray<Sample>
  readonly branch: ReadonlyArray<Sample>
}

/** Cost of the branch over that of its base from which on it is measured again, and from which on it counts as slower. */
const suspectFrom = 1.1
const slowerFrom = 1.16

/** The processor time of the undisturbed rounds: other programs only make rounds longer. */
const costOf = (samples: ReadonlyArray<Sample>): number => summarise(samples.map(({ cpu, wall }) => cpu ?? wall)).low

/** The cost of the branch over that of its base: the median of pairs, because two processes of one program can differ by a quarter. */
export const ratioOf = (pairs: ReadonlyArray<Pair>): number =>
  summarise(pairs.map(({ base, branch }) => costOf(branch) / costOf(base))).median

/** Measures pairs of processes: the rounds of each contestant. */
export type MeasurePairs = (pairs: number) => Promise<ReadonlyMap<string, ReadonlyArray<Pair>>>

/** The cost of a contestant in the branch over that in the base. */
export interface Compared {
  readonly name: string
  readonly ratio: number
  readonly isSlower: boolean
}

const pairsFirst = 5
const pairsAgain = 7

/** Compares every contestant. A branch that may be slower is measured again: of many figures, one is high by chance. */
export const compareContestants = async (measure: MeasurePairs): Promise<ReadonlyArray<Compared>> => {
  const first = await measure(pairsFirst)
  const suspects = new Set([...first].filter(([, pairs]) => ratioOf(pairs) >= suspectFrom).map(([name]) => name))
  const again = suspects.size === 0 ? new Map<string, ReadonlyArray<Pair>>() : await measure(pairsAgain)
  return [...first].map(([name, pairs]) => {
    const ratio = ratioOf([...pairs, ...(suspects.has(name) ? (again.get(name) ?? []) : [])])
    return { name, ratio, isSlower: ratio >= slowerFrom }
  })
}
