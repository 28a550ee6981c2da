import { brokenCallers } from "../BrokenClients.ts"
import { testFamily } from "../FamilyTests.ts"
import { duplicates } from "./Calls.ts"

const { "makes a new key for every attempt": newKeys } = brokenCallers

testFamily(duplicates, {
  runs: 150,
  broken:
    newKeys === undefined ? {} : { "makes a new key for every attempt": { ...newKeys, finding: /was applied again/u } }
})
