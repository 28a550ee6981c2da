/** The program that each Node is given: prints what the client sees of every failure. */
import { type FailureCase, failures } from "./FailureTable.ts"
import { closeServers, observe } from "./ObserveFailures.ts"

const named = async (failure: FailureCase) => [failure.name, await observe(failure)] as const

const isDown = ({ row }: FailureCase) => row.fault === "down"

const observed = [
  ...(await Promise.all(failures.filter((failure) => !isDown(failure)).map(named))),
  // Last: a server that starts now could get the port that such a failure just closed.
  ...(await Promise.all(failures.filter(isDown).map(named)))
]
await closeServers()
process.stdout.write(JSON.stringify(Object.fromEntries(observed)))
