import { testFamily } from "../FamilyTests.ts"
import { dispatches } from "./Calls.ts"

testFamily(dispatches, { runs: 200, repeats: 20 })
