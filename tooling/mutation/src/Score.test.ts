import type { MutantStatus } from "@stryker-mutator/api/core"
import { expect, it } from "vitest"
import { fromReport, isDetected, isUntested, lineOf, percent, survivorOf } from "./Score.ts"

const mutant = {
  id: "1",
  fileName: "packages/core/src/policies/Retry.ts",
  location: { start: { line: 11, column: 4 }, end: { line: 12, column: 5 } },
  mutatorName: "BlockStatement",
  replacement: "{\n  `a`\n}"
}

it("counts mutants that make a test fail or hang, or that cannot be loaded", () => {
  const statuses: ReadonlyArray<MutantStatus> = ["Killed", "Timeout", "RuntimeError", "Survived", "NoCoverage"]
  expect(statuses.filter((status) => isDetected({ status }))).toEqual(["Killed", "Timeout", "RuntimeError"])
  expect(percent({ detected: 276, sampled: 300 })).toBe(92)
  expect(percent({ detected: 0, sampled: 0 })).toBe(0)
})

it("rejects a mutant whose tests did not all run, which proves nothing", () => {
  const survived = { status: "Survived" as const, coveredBy: ["a", "b"] }
  expect([2, 1, 0].map((testsCompleted) => isUntested({ ...survived, testsCompleted }))).toEqual([false, true, true])
  // Active while modules load: no test is known to cover it.
  expect([9, 0].map((testsCompleted) => isUntested({ status: "Survived", testsCompleted }))).toEqual([false, true])
  expect(isUntested({ ...survived, status: "Killed", testsCompleted: 1 })).toBe(false)
  expect(isUntested({ status: "NoCoverage" })).toBe(false)
})

it("lists what no test noticed by file and line, from one", () => {
  const survivor = survivorOf(mutant, { file: mutant.fileName, covered: false })
  expect(survivor).toEqual({
    file: mutant.fileName,
    line: 12,
    mutator: "BlockStatement",
    replacement: "{ `a` }",
    covered: false
  })
  expect(lineOf(survivor)).toBe(`${mutant.fileName}:12 BlockStatement { \`a\` } (no test runs this code)`)
})

it("counts lines and columns of results from zero, as mutants do", () => {
  const { start, end } = mutant.location
  const reported = {
    ...mutant,
    status: "Survived" as const,
    location: {
      start: { line: start.line + 1, column: start.column + 1 },
      end: { line: end.line + 1, column: end.column + 1 }
    }
  }
  expect(fromReport(reported).location).toEqual(mutant.location)
})
