import { brokenWriters } from "../BrokenClients.ts"
import { testFamily } from "../FamilyTests.ts"
import { appends } from "./Calls.ts"

testFamily(appends, { runs: 150, broken: brokenWriters })
