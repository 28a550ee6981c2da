import { brokenCallers } from "../BrokenClients.ts"
import { testFamily } from "../FamilyTests.ts"
import { calls } from "./Calls.ts"

testFamily(calls, { runs: 1_500, everyFault: true, broken: brokenCallers })
