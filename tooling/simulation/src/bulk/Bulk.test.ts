import { testFamily } from "../FamilyTests.ts"
import { brokenBulk } from "./BrokenBulk.ts"
import { bulk } from "./Bulk.ts"

testFamily(bulk, { runs: 400, repeats: 20, broken: brokenBulk })
