import { brokenWalkers } from "../BrokenClients.ts"
import { testFamily } from "../FamilyTests.ts"
import { walks } from "./Walks.ts"

testFamily(walks, { runs: 1_000, broken: brokenWalkers, leftOut: /^drift/u })
