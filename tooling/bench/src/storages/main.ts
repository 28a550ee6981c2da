/**
 * The measurements of [decision 0034](../../../../docs/decisions/0034-one-journal-and-leases.md): the journal next to SQLite,
 * and leases next to a queue. `pnpm --filter @signalbox/bench run storages`
 */
import { runTool } from "@signalbox/repository/CommandLine"
import * as Effect from "effect/Effect"
import { measureHandover } from "./ChunkHandover.ts"
import { measureCommits, storages } from "./Commits.ts"

const chunks = 2000
const rounds = 3

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN

await runTool(async () => {
  for (const [name, make] of Object.entries(storages)) {
    const { commitMs, cpuOfLine, damaged, occupiedMs, unnoticed } = await Effect.runPromise(measureCommits(make))
    const time = `${commitMs.toFixed(2)} ms a commit, ${occupiedMs.toFixed(2)} of them occupied`
    const costs = `${time}, ${cpuOfLine.toFixed(1)} µs of CPU a line`
    console.log(`${name}: ${costs}; ${unnoticed} of ${damaged} changed bytes lose commits unnoticed`)
  }
  const found = await measureHandover(chunks, rounds)
  for (const name of ["leases", "queue"] as const) {
    const of = (figure: "submittedMs" | "handedOutMs" | "cpuMs") =>
      median(found.filter((each) => each.name === name).map((each) => each[figure])).toFixed(2)
    console.log(`${name}: ${of("submittedMs")} ms a chunk to submit, ${of("handedOutMs")} to do, ${of("cpuMs")} of CPU`)
  }
  return 0
})
