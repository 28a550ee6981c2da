import { standardRuns } from "../Arguments.ts"
import { brokenCallers } from "../BrokenClients.ts"
import { testFamily } from "../FamilyTests.ts"
import { calls } from "./Calls.ts"

testFamily(calls, {
  runs: standardRuns,
  broken: brokenCallers,
  // Found here, reported, and not yet corrected in the client.
  known: [/was told that nothing was done, and it was applied/u, /has status undefined, the service said \d+/u]
})
