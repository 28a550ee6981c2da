import { testFamily } from "../FamilyTests.ts"
import { brokenLosses } from "./BrokenPromiseClients.ts"
import { losses } from "./Promises.ts"

testFamily(losses, { runs: 150, repeats: 20, broken: brokenLosses })
