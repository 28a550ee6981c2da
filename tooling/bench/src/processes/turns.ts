/**
 * Runs what the bundles of two checkouts contain in turns, in one process, and prints what the branch costs over its base.
 */
import type { Contestant } from "../Measure.ts"
import { inTurns } from "../Turns.ts"
import type { compared } from "./compared.ts"

const [suite = "", base = "", branch = "", slowed] = process.argv.slice(2)

/** Runs every third time twice: a third more work. */
const slower = ({ name, run }: Contestant): Contestant => {
  let count = 0
  return {
    name,
    run: () => {
      const first = run()
      return ++count % 3 > 0 ? first : first instanceof Promise ? first.then(run) : run()
    }
  }
}

const contestantsOf = async (file: string): Promise<ReadonlyArray<Contestant>> => {
  // A bundle of `compared.ts`.
  const bundle = (await import(file)) as { readonly compared: Record<string, (typeof compared)["call"]> }
  return bundle.compared[suite]?.() ?? []
}

const before = await contestantsOf(base)
const after = await contestantsOf(branch)
console.log(JSON.stringify(await inTurns(before, slowed === undefined ? after : after.map(slower))))
