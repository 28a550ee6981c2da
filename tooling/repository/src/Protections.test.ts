import { assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { breakages, protections } from "./Protections.ts"
import { read, repository } from "./Workspace.ts"

describe("code that keeps a promise", () => {
  it.each([...protections, ...breakages])("is there once, and has a test: $file: $code", ({ code, file, test }) => {
    assert.lengthOf(read(file).split(code), 2)
    assert.isTrue(existsSync(join(repository, test)))
  })
})

describe("the protections of SECURITY.md", () => {
  it.each(protections)("name their test: $file: $code", ({ row, test }) => {
    const rows = read("SECURITY.md")
      .split("\n")
      .filter((line) => line.startsWith(`| ${row} `))
    assert.lengthOf(rows, 1, row)
    assert.include(rows[0], test)
  })

  it("have a removal in every row, except where nothing protects, or the test itself is the protection", () => {
    const rows = read("SECURITY.md")
      .split("\n")
      .flatMap((line) => {
        const [, row = "", stops = ""] = line.split("|").map((cell) => cell.trim())
        return line.startsWith("| ") && row !== "It could" && !/^(?:-+$|nothing: )/u.test(stops) ? [row] : []
      })
    assert.isAbove(rows.length, 35)
    const removed = new Set(protections.map(({ row }) => row))
    assert.deepStrictEqual(
      rows.filter((row) => !removed.has(row)),
      ["bring a licence that forbids redistribution"]
    )
  })
})
