import { brokenGates } from "../BrokenClients.ts"
import { testFamily } from "../FamilyTests.ts"
import { crowds } from "./Calls.ts"

testFamily(crowds, { runs: 10, repeats: 2, broken: brokenGates })
