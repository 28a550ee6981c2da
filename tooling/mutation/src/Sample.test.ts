import { expect, it } from "vitest"
import { keyOf, mutatedFiles, placeOf, sampleOf } from "./Sample.ts"

const keys = Array.from(
  { length: 1000 },
  (_, index) => `packages/a/src/File.ts ${index}:0-${index}:9 BlockStatement {}`
)

it("is the same for the same seed, and another one for another", () => {
  expect(sampleOf(keys, 50, 1)).toEqual(sampleOf(keys.toReversed(), 50, 1))
  expect(sampleOf(keys, 50, 1)).not.toEqual(sampleOf(keys, 50, 2))
  expect(new Set(sampleOf(keys, 50, 1)).size).toBe(50)
})

it("keeps its mutants when others are added: ranks depend on the mutant alone", () => {
  const some = sampleOf(keys.slice(0, 500), 40, 7)
  const of = new Set(sampleOf(keys, 80, 7))
  expect(some.filter((key) => of.has(key)).length).toBeGreaterThan(20)
})

it("is everything where there are fewer mutants than asked for", () => {
  expect(sampleOf(keys.slice(0, 3), 300, 1)).toHaveLength(3)
})

it("names a mutant by file, place, kind and code, wherever the copy is", () => {
  const mutant = {
    id: "4",
    fileName: "/copy/packages/a/src/File.ts",
    location: { start: { line: 1, column: 2 }, end: { line: 1, column: 7 } },
    mutatorName: "BooleanLiteral",
    replacement: "false"
  }
  expect(keyOf(mutant, "/copy")).toBe("packages/a/src/File.ts 1:2-1:7 BooleanLiteral false")
  expect(keyOf({ ...mutant, fileName: "packages/a/src/File.ts" }, "/copy")).toBe(keyOf(mutant, "/copy"))
  expect(placeOf(keyOf(mutant, "/copy"))).toBe("packages/a/src/File.ts:2:2-2:7")
})

it("leaves out tests and generated files", () => {
  const files = mutatedFiles("packages/core", (file) => (file.endsWith("/Shapes.ts") ? "// Generated from" : ""))
  expect(files).toContain("packages/core/src/services/Events.ts")
  expect(files).not.toContain("packages/core/src/reading/Shapes.ts")
  expect(files.filter((file) => file.includes(".test."))).toEqual([])
})
