import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { safe } from "./Safe.ts"
import { fit, truncate, truncateMiddle, width, wrap } from "./Width.ts"

const Parts = Schema.Array(
  Schema.Literals(["a", "bc", "word", " ", "  ", "漢", "👍", "e\u0301", "한", "🇪🇸", "é"])
).check(Schema.isMaxLength(40))
const Columns = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 }))

const dense = (text: string) => text.replaceAll(" ", "")

describe("width", () => {
  it.each([
    ["", 0],
    ["abc", 3],
    ["漢字", 4],
    ["e\u0301", 1],
    ["👍", 2],
    ["🇪🇸", 2]
  ])("%j takes %i cells", (text, cells) => {
    assert.strictEqual(width(text), cells)
  })
})

describe("truncate", () => {
  it.each([
    ["order-shipped", 8, "order-s…"],
    ["order", 5, "order"],
    ["order", 0, ""],
    ["order", 1, "…"],
    ["漢字漢字", 5, "漢字…"],
    ["漢字漢字", 4, "漢…"],
    ["abc\u0301d", 3, "ab…"],
    ["abc\u0301", 3, "abc\u0301"]
  ])("%j in %i cells", (text, columns, cut) => {
    assert.strictEqual(truncate(text, columns), cut)
  })

  it.effect.prop("never takes more cells, and cuts only what does not fit", [Parts, Columns], ([parts, columns]) =>
    Effect.sync(() => {
      const text = parts.join("")
      const cut = truncate(text, columns)
      assert.isAtMost(width(cut), columns)
      if (width(text) <= columns) assert.strictEqual(cut, text)
      else assert.isTrue(columns === 0 || (cut.endsWith("…") && text.startsWith(cut.slice(0, -1))))
    })
  )

  it("looks only at the beginning of a megabyte", () => {
    assert.strictEqual(truncate("漢".repeat(1_000_000), 7), "漢漢漢…")
    assert.strictEqual(truncate("a".repeat(1_000_000), 4), "aaa…")
  })
})

describe("truncateMiddle", () => {
  it.each([
    ["9f1c2b7e-5d1a-4e0b-9b1e44", 13, "9f1c2b…9b1e44"],
    ["u_10377", 7, "u_10377"],
    ["u_10377", 4, "u_…7"],
    ["漢字漢字漢字", 7, "漢…字"],
    ["abc", 1, "…"],
    ["abc", 0, ""]
  ])("cuts %s in its middle for %i cells", (text, columns, expected) => {
    assert.strictEqual(truncateMiddle(text, columns), expected)
    assert.isAtMost(width(truncateMiddle(text, columns)), columns)
  })
})

describe("fit", () => {
  it.effect.prop("uses exactly the cells", [Parts, Columns], ([parts, columns]) =>
    Effect.sync(() => {
      assert.strictEqual(width(fit(parts.join(""), columns)), columns)
    })
  )

  it.effect.prop("uses exactly the cells for any safe text", [Schema.String, Columns], ([text, columns]) =>
    Effect.sync(() => {
      assert.strictEqual(width(fit(safe(text), columns)), columns)
    })
  )
})

describe("wrap", () => {
  it.each([
    ["the quick brown fox", 9, ["the quick", "brown fox"]],
    ["  indented line", 10, ["  indented", "line"]],
    ["averyverylongword x", 5, ["avery", "veryl", "ongwo", "rd x"]],
    ["go averylongword", 5, ["go", "avery", "longw", "ord"]],
    ["漢字漢字", 5, ["漢字", "漢字"]],
    ["", 5, [""]],
    ["漢", 1, ["漢", ""]]
  ])("%j in %i cells", (text, columns, lines) => {
    assert.deepStrictEqual(wrap(text, columns), lines)
  })

  it.effect.prop(
    "loses nothing but spaces and keeps every line within the cells",
    [Parts, Columns],
    ([parts, columns]) =>
      Effect.sync(() => {
        const text = parts.join("")
        const room = Math.max(2, columns)
        const lines = wrap(text, room)
        assert.strictEqual(dense(lines.join("")), dense(text))
        for (const line of lines) assert.isAtMost(width(line), room)
      })
  )
})
