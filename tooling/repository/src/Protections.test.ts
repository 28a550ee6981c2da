import { assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { protections } from "./Protections.ts"
import { read, repository } from "./Workspace.ts"

describe("the protections of SECURITY.md", () => {
  it.each(protections)("$file: $code", ({ code, file, row, test }) => {
    assert.lengthOf(read(file).split(code), 2, "the code that protects is there once")
    assert.isTrue(existsSync(join(repository, test)))
    const rows = read("SECURITY.md")
      .split("\n")
      .filter((line) => line.startsWith(`| ${row} `))
    assert.lengthOf(rows, 1, row)
    assert.include(rows[0], test, "the row names the test")
  })
})
