import { brokenClocks } from "../BrokenClients.ts"
import { testFamily } from "../FamilyTests.ts"
import { clockSteps } from "./ClockSteps.ts"

testFamily(clockSteps, { runs: 100, broken: brokenClocks })
