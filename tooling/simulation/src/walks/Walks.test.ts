import { brokenWalkers } from "../BrokenClients.ts"
import { testFamily } from "../FamilyTests.ts"
import { walks } from "./Walks.ts"

testFamily(walks, { runs: 500, broken: brokenWalkers })
