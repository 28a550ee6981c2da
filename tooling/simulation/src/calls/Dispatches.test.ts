import { testFamily } from "../FamilyTests.ts"
import { dispatches } from "./Calls.ts"

testFamily(dispatches, { runs: 300, repeats: 20 })
