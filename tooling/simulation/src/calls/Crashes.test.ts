import { testFamily } from "../FamilyTests.ts"
import { crashes } from "./Calls.ts"

testFamily(crashes, { runs: 150 })
