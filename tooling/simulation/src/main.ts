import { runTool } from "@signalbox/repository/CommandLine"
import * as Effect from "effect/Effect"
import { type Arguments, parseArguments, usage } from "./Arguments.ts"
import { families } from "./Families.ts"
import type { Family, Observed } from "./Family.ts"
import { report, Tally } from "./Report.ts"
import { simulate } from "./Simulate.ts"

/** Scenarios of a family between two looks at the clock: those of many clients take a second each. */
const runsPerSeed = 20

interface Batch {
  readonly runs: number
  readonly seed: number
  readonly replay: string | undefined
}

const play =
  ({ replay, runs, seed }: Batch) =>
  async <Scenario, Observation extends Observed, Client>(
    family: Family<Scenario, Observation, Client>
  ): Promise<boolean> => {
    console.log(replay === undefined ? `${family.name}: ${runs} scenarios of seed ${seed}` : `${family.name}: replay`)
    const tally = new Tally(family)
    const startedAt = performance.now()
    const observe = (observation: Observation) => tally.add(observation)
    const result = await Effect.runPromise(simulate(family, { client: family.client, runs, seed, replay, observe }))
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
  for (let next = seed; ; next++) {
    for (const name of names) {
      if (performance.now() >= deadline) return true
      if (!(await playAll([name], { runs: Math.min(runs, runsPerSeed), seed: next, replay: undefined }))) return false
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
      ? await playAll(wanted.families, { runs, seed, replay: reproduction?.replay })
      : await playFor(minutes, wanted)
  return passed ? 0 : 1
})
