import * as Effect from "effect/Effect"
import { ArgumentError, parseArguments, usage } from "./Arguments.ts"
import { calls, fetches } from "./calls/Calls.ts"
import type { Family, Observed } from "./Family.ts"
import { marks } from "./marks/Marks.ts"
import { repeatOf } from "./RepeatToken.ts"
import { report, Tally } from "./Report.ts"
import { simulate } from "./Simulate.ts"
import { walks } from "./walks/Walks.ts"

const families: ReadonlySet<string> = new Set([calls.name, fetches.name, marks.name, walks.name])

interface Wanted {
  readonly runs: number
  readonly seed: number
  readonly replay: string | undefined
}

const play = async <Scenario, Observation extends Observed>(
  family: Family<Scenario, Observation>,
  { replay, runs, seed }: Wanted
): Promise<boolean> => {
  console.log(replay === undefined ? `${family.name}: ${runs} scenarios from seed ${seed}` : `${family.name}: again`)
  const tally = new Tally(family)
  const begun = performance.now()
  const observe = (observation: Observation) => tally.add(observation)
  const result = await Effect.runPromise(simulate(family, { client: family.client, runs, seed, replay, observe }))
  const took = `${Math.round(performance.now() - begun)} ms`
  for (const line of [...tally.lines(), took, "", ...report(family.name, result), ""]) console.log(line)
  return result._tag === "Passed"
}

const main = async (): Promise<boolean> => {
  const { help, repeat, runs, seed } = parseArguments(process.argv.slice(2))
  if (help) {
    console.log(usage)
    return true
  }
  const again = repeat === undefined ? undefined : repeatOf(repeat)
  if (repeat !== undefined && !families.has(again?.family ?? "")) {
    throw new ArgumentError("--repeat needs the token of a failure, as it was printed")
  }
  const wanted = { runs, seed, replay: again?.replay }
  const isWanted = (family: string) => again === undefined || again.family === family
  const ofCalls = !isWanted(calls.name) || (await play(calls, wanted))
  const ofFetches = !isWanted(fetches.name) || (await play(fetches, wanted))
  const ofMarks = !isWanted(marks.name) || (await play(marks, wanted))
  const ofWalks = !isWanted(walks.name) || (await play(walks, wanted))
  return ofCalls && ofFetches && ofMarks && ofWalks
}

try {
  process.exitCode = (await main()) ? 0 : 1
} catch (error) {
  if (!(error instanceof ArgumentError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
