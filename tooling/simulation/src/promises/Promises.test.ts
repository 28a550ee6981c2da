import { testFamily } from "../FamilyTests.ts"
import { brokenPromises } from "./BrokenPromiseClients.ts"
import { promises } from "./Promises.ts"

testFamily(promises, { runs: 400, broken: brokenPromises })
