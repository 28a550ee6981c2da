import { testFamily } from "../FamilyTests.ts"
import { bulk } from "./Bulk.ts"

testFamily(bulk)
