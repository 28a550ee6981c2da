import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { cellsOf, seen } from "./LineWindow.ts"
import { safe } from "@signalbox/operator/text/Safe"
import { width } from "@signalbox/operator/text/Width"

const Pieces = Schema.Array(Schema.Literals(["a", " ", "漢字", "👍", "e\u0301", "🇪🇸", "plain words ", "한글"]))

const At = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60 }))

describe("a window over a line", () => {
  it.prop("begins and ends where its cells do", [Pieces, At, At], ([pieces, left, columns]) => {
    const line = safe(pieces.join(""))
    const { from, to } = seen(line, left, columns)
    // A wide character at an edge is a cell more; behind the end of the line there is nothing.
    const before = width(line.slice(0, from))
    assert.isTrue(before === left || before === left + 1 || from === line.length)
    const until = width(line.slice(0, to))
    assert.isTrue(until === left + columns || until === left + columns + 1 || to === line.length)
    assert.strictEqual(cellsOf(line), width(line))
  })
  it("is found in a line of 200,000 characters, forwards and backwards, the same each time", () => {
    for (const piece of ["abcdefghij", "漢字かな交じり文です"]) {
      const line = piece.repeat(20_000)
      const cells = width(piece)
      for (const left of [0, 20, 150_000, 40, 199_000, 0]) {
        const { from, to } = seen(line, left, 80)
        assert.strictEqual(from, Math.ceil((left / cells) * piece.length))
        assert.strictEqual(to, Math.ceil(((left + 80) / cells) * piece.length))
      }
      assert.strictEqual(cellsOf(line), cells * 20_000)
    }
  })
})
