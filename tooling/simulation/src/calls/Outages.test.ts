import { brokenQuotas } from "../BrokenClients.ts"
import { testFamily } from "../FamilyTests.ts"
import { outages } from "./Calls.ts"

testFamily(outages, { runs: 30, repeats: 3, broken: brokenQuotas })
