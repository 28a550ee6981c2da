import { brokenDeclarations } from "../BrokenClients.ts"
import { testFamily } from "../FamilyTests.ts"
import { declarations } from "./Calls.ts"

testFamily(declarations, { runs: 150, broken: brokenDeclarations })
