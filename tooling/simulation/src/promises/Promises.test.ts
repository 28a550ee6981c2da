import { testFamily } from "../FamilyTests.ts"
import { losses, marks, promises, rotations, walks } from "./Promises.ts"

for (const family of [promises, rotations, losses, marks, walks]) testFamily(family)
