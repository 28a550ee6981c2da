import * as Effect from "effect/Effect"
import { ArgumentError, parseArguments, usage } from "./Arguments.ts"
import { shipped } from "./ClientUnderTest.ts"
import { replayOf } from "./RepeatToken.ts"
import { report, Tally } from "./Report.ts"
import { simulate } from "./Simulate.ts"

const main = async (): Promise<number> => {
  const { help, repeat, runs, seed } = parseArguments(process.argv.slice(2))
  if (help) {
    console.log(usage)
    return 0
  }
  const replay = repeat === undefined ? undefined : replayOf(repeat)
  if (repeat !== undefined && replay === undefined) throw new ArgumentError("--repeat needs the token of a failure")
  console.log(replay === undefined ? `${runs} scenarios from seed ${seed}` : "one scenario")
  const tally = new Tally()
  const begun = performance.now()
  const result = await Effect.runPromise(
    simulate({ client: shipped, runs, seed, repeat: replay, observe: (observation) => tally.add(observation) })
  )
  for (const line of [...tally.lines(), `${Math.round(performance.now() - begun)} ms`, "", ...report(result)]) {
    console.log(line)
  }
  return result._tag === "Passed" ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof ArgumentError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
