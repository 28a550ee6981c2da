/**
 * Whether a branch is slower than its base, from measurements of both in turns.
 */
import { summarise } from "./Measure.ts"

/** Cost of the branch over that of its base from which on it counts as slower. */
const slowerFrom = 1.16

/** Measures both checkouts in turns: the cost of each contestant of the branch over that of its base. */
export type MeasureRatios = () => Promise<Readonly<Record<string, number>>>

/** The cost of a contestant in the branch over that in the base. */
export interface Compared {
  readonly name: string
  readonly ratio: number
  readonly isSlower: boolean
}

const mostMeasurements = 7

/** A wrong report wastes more than a slow branch that goes unnoticed once: it needs one measurement more. */
const isDecided = (ratios: ReadonlyArray<number>): boolean => {
  const slower = ratios.filter((ratio) => ratio >= slowerFrom).length
  const lead = slower - (ratios.length - slower)
  return lead <= -2 || lead >= 3
}

/** Compares every contestant, until the measurements on one side of the limit have a clear majority. */
export const compareContestants = async (measure: MeasureRatios): Promise<ReadonlyArray<Compared>> => {
  const found = new Map<string, ReadonlyArray<number>>()
  for (let count = 0; count < mostMeasurements; count++) {
    for (const [name, ratio] of Object.entries(await measure())) {
      const ratios = found.get(name) ?? []
      if (!isDecided(ratios)) found.set(name, [...ratios, ratio])
    }
    if ([...found.values()].every(isDecided)) break
  }
  return [...found].map(([name, ratios]) => {
    const ratio = summarise(ratios).median
    return { name, ratio, isSlower: ratio >= slowerFrom }
  })
}
