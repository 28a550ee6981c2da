import { standardRuns } from "../Arguments.ts"
import { brokenCallers } from "../BrokenClients.ts"
import { testFamily } from "../FamilyTests.ts"
import { calls } from "./Calls.ts"

testFamily(calls, { runs: standardRuns, broken: brokenCallers })
