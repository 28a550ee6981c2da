import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import stringWidth from "string-width"
import { plainCells } from "./PlainCells.ts"

const everyCharacter = Array.from({ length: 0x3100 }, (_, code) => String.fromCharCode(code))

const parts = Schema.Array(
  Schema.Literals([
    "a",
    " ",
    "é",
    "✓",
    "│",
    "…",
    "\u001B[38;5;117m",
    "\u001B[0m",
    "\u200D",
    "\uFE0F",
    "\u0301",
    "1",
    "漢",
    "👩"
  ])
)

describe("plainCells", () => {
  it("agrees with the full measure on every character that it measures", () => {
    const measured = everyCharacter.filter((character) => plainCells(character) !== undefined)
    assert.isAbove(measured.length, 200)
    for (const character of measured) assert.strictEqual(plainCells(character), stringWidth(character), character)
  })
  it.prop("agrees with the full measure on strings, with and without colours", [Arbitrary.schema(parts)], ([some]) => {
    const text = some.join("")
    const cells = plainCells(text)
    if (cells !== undefined) assert.strictEqual(cells, stringWidth(text))
  })
  it("leaves everything else to the full measure", () => {
    for (const text of ["漢", "👍", "e\u0301", "\u200B", "\u001B]0;x\u0007", "\t", "\n", "\u00AD", "ｗ"]) {
      assert.isUndefined(plainCells(text), JSON.stringify(text))
    }
  })
})
