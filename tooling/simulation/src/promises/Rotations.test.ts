import { testFamily } from "../FamilyTests.ts"
import { brokenRotations } from "./BrokenPromiseClients.ts"
import { rotations } from "./Promises.ts"

testFamily(rotations, { runs: 150, repeats: 20, broken: brokenRotations })
