import { runTool } from "@signalbox/repository/CommandLine"
import * as Effect from "effect/Effect"
import { type Arguments, parseArguments, usage } from "./Arguments.ts"
import { families } from "./Families.ts"
import type { Family, Observed } from "./Family.ts"
import { report, Tally } from "./Report.ts"
import { simulate } from "./Simulate.ts"

/** Scenarios of a family before those of the next one. */
const runsPerSeed = 20

interface Batch {
  readonly runs: number
  readonly seed: number
  readonly replay: string | undefined
  readonly isOver: () => boolean
}

const play =
  ({ isOver, replay, runs, seed }: Batch) =>
  async <Scenario, Observation extends Observed, Client>(
    family: Family<Scenario, Observation, Client>
  ): Promise<boolean> => {
    console.log(replay === undefined ? `${family.name}: ${runs} scenarios of seed ${seed}` : `${family.name}: replay`)
    const tally = new Tally(family)
    const startedAt = performance.now()
    const observe = (observation: Observation) => tally.add(observation)
    const result = await Effect.runPromise(
      simulate(family, { client: family.client, runs, seed, replay, isOver, observe })
    )
    const elapsed = `${Math.round(performance.now() - startedAt)} ms`
    for (const line of [...tally.lines(), elapsed, "", ...report(family.name, result), ""]) console.log(line)
    return result._tag === "Passed"
  }

const playAll = async (names: ReadonlyArray<string>, batch: Batch): Promise<boolean> => {
  for (const name of names) {
    if ((await families[name]?.(play(batch))) === false) return false
  }
  return true
}

const playFor = async (minutes: number, { families: names, runs, seed }: Arguments): Promise<boolean> => {
  const deadline = performance.now() + minutes * 60_000
  // A scenario of many clients takes a second, and much longer where other programs run.
  const isOver = () => performance.now() >= deadline
  for (let next = seed; ; next++) {
    for (const name of names) {
      if (isOver()) return true
      const batch = { runs: Math.min(runs, runsPerSeed), seed: next, replay: undefined, isOver }
      if (!(await playAll([name], batch))) return false
    }
  }
}

await runTool(async () => {
  const known = Object.keys(families)
  const wanted = parseArguments(process.argv.slice(2), known)
  if (wanted.help) {
    console.log(usage(known))
    return 0
  }
  const { minutes, reproduction, runs, seed } = wanted
  const passed =
    minutes === undefined || reproduction !== undefined
      ? await playAll(wanted.families, { runs, seed, replay: reproduction?.replay, isOver: () => false })
      : await playFor(minutes, wanted)
  return passed ? 0 : 1
})
