import { testFamily } from "../FamilyTests.ts"
import { brokenPromises } from "./BrokenPromiseClients.ts"
import { promises } from "./Promises.ts"

testFamily(promises, { runs: 500, broken: brokenPromises })
