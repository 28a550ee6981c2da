import { brokenMarkers } from "../BrokenClients.ts"
import { testFamily } from "../FamilyTests.ts"
import { marks } from "./Marks.ts"

testFamily(marks, { runs: 300, broken: brokenMarkers })
