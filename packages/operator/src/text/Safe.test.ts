import { assert, describe, it } from "@effect/vitest"
import { Terminal } from "@xterm/headless"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { safe, safeLines } from "./Safe.ts"
import { graphemes } from "./Graphemes.ts"
import { width } from "./Width.ts"

const columns = 400

const cellsOf = (code: number): 0 | 1 | 2 => {
  const character = String.fromCodePoint(code)
  if (/\p{Mark}/u.test(character)) return 0
  return /(?!\p{Regional_Indicator})\p{Emoji_Presentation}/u.test(character) ? 2 : 1
}

/** How a terminal counts that knows pictographs but joins none of them; its own tables end before most of them. */
const unjoined = {
  version: "unjoined",
  wcwidth: cellsOf,
  charProperties: (code: number, preceding: number) => {
    const cells = cellsOf(code)
    const joins = cells === 0 && preceding !== 0
    return joins ? (preceding & 0b110) | 1 : cells << 1
  }
}

/** Writes to a terminal of another maker and tells where its cursor stands and what it shows. */
const draw = (text: string, pictographs = false) =>
  Effect.callback<{ readonly at: number; readonly line: string; readonly row: number }>((resume) => {
    const terminal = new Terminal({ cols: columns, rows: 4, allowProposedApi: true })
    if (pictographs) {
      terminal.unicode.register(unjoined)
      terminal.unicode.activeVersion = unjoined.version
    }
    terminal.write(text, () => {
      const { active } = terminal.buffer
      resume(
        Effect.succeed({
          at: active.cursorX,
          row: active.cursorY,
          line: active.getLine(0)?.translateToString(true) ?? ""
        })
      )
    })
  })

/** Parts of hostile and of merely foreign strings. */
const pieces = [
  "a",
  "Z9",
  " ",
  "\u001b[31m",
  "\u001b]8;;http://evil.test\u0007",
  "\u001b]52;c;aGk=\u001b\\",
  "\u001bP1$r\u001b\\",
  "\u009b2J",
  "\u009d0;title\u009c",
  "\u0000",
  "\u0007",
  "\u0008\u0008",
  "\u007f",
  "\r\n",
  "\r",
  "\t",
  "\u2028",
  "\u202e",
  "\u2066x\u2069",
  "\u200b",
  "\u200d",
  "\ufeff",
  "\u00ad",
  "\u3164",
  "\ufe0f",
  "\u{E0041}",
  "\u{E0101}",
  "\u0301",
  "e\u0301",
  "\u0488",
  "漢字",
  "ｶﾞ",
  "한글",
  "\u1112\u1161\u11ab",
  "👍",
  "🏽",
  "👍🏽",
  "👨‍👩‍👧",
  "❤️",
  "🏴\u{E0067}\u{E007F}",
  "🇪",
  "🇪🇸",
  "1️⃣",
  "שלום",
  "می\u200Cخواهم",
  "नमस्ते",
  "\ud83d",
  "\udc4d",
  "\uffff",
  "…"
]

const Hostile = Schema.Array(Schema.Union([Schema.Literals(pieces), Schema.String])).check(Schema.isMaxLength(30))

const acts =
  /[\p{Control}\p{Line_Separator}\p{Paragraph_Separator}\p{Surrogate}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u

describe("safe", () => {
  it.each([
    ["plain text", "plain text"],
    ["a\u001b[31mred\u001b[0m", "a^[[31mred^[[0m"],
    ["\u001b]8;;http://evil.test\u0007link", "^[]8;;http://evil.test^Glink"],
    ["\u009b2Jgone", "<U+009B>2Jgone"],
    ["one\ntwo\r\nthree\tfour", "one two three four"],
    ["invoice\u202egnp.exe", "invoice<U+202E>gnp.exe"],
    ["u_1\u200b", "u_1<U+200B>"],
    ["\u200b\u200b\u200b", "<U+200B x3>"],
    ["\u0000\u0000", "<^@ x2>"],
    ["\ud83d broken", "<U+D83D> broken"],
    ["می\u200cخواهم", "می\u200cخواهم"],
    ["葛\u{E0100}城", "葛城"],
    [`e${"\u0301".repeat(9)}`, `e${"\u0301".repeat(4)}<+5 marks>`],
    ["\u0301a", "\u25cc\u0301a"],
    ["👍🏽 ❤️ 👨‍👩‍👧 🏴\u{E0067}\u{E007F} 🇪🇸", "👍 ❤ 👨👩👧 🏴 🇪🇸"],
    ["🇪", "<U+1F1EA>"]
  ])("%j is shown as %j", (text, shown) => {
    assert.strictEqual(safe(text), shown)
  })

  it.effect.prop("lets nothing through that acts on a terminal or hides", [Hostile], ([parts]) =>
    Effect.sync(() => {
      assert.notMatch(safe(parts.join("")), acts)
    })
  )

  it("removes a flag that is spelled in tags, also the characters after the tags", () => {
    assert.strictEqual(safe("\u{1F3F4}\u{E0067}\u{E007F}\u{1F3FD}"), "\u{1F3F4}")
  })

  it("puts a base before combining marks, also when there are too many of them", () => {
    const stack = `\u25CC${"\u0301".repeat(4)}`
    assert.strictEqual(safe("\u0301".repeat(6)), `${stack}<+2 marks>`)
    // A joiner that stood on one of them has nothing left to join.
    assert.strictEqual(safe(`${"\u0301".repeat(5)}\u094D\u200D`), `${stack}<+3 marks>`)
  })

  it.effect.prop("is idempotent: leaves a safe string unchanged", [Hostile], ([parts]) =>
    Effect.sync(() => {
      const once = safe(parts.join(""))
      assert.strictEqual(safe(once), once)
    })
  )

  it.effect.prop("stays on its line of the terminal and shows what it says", [Hostile], ([parts]) =>
    Effect.gen(function* () {
      const text = graphemes(safe(parts.join("")))
        .slice(0, 60)
        .join("")
      const drawn = yield* draw(text)
      assert.strictEqual(drawn.row, 0)
      assert.strictEqual(drawn.line.trimEnd(), text.trimEnd())
    })
  )

  it.effect.each(pieces.filter((piece) => !/[\ud800-\udfff]$/u.test(piece)))(
    "uses as many cells for %j as the terminal",
    (piece) =>
      Effect.gen(function* () {
        const text = `a${safe(piece)}b`
        const drawn = yield* draw(text, /\p{Extended_Pictographic}|\p{Emoji_Modifier}/u.test(piece))
        assert.strictEqual(drawn.at, width(text))
      })
  )

  it("cuts one line after 5,000 characters and reports it", () => {
    const cut = safe("x".repeat(1_000_000))
    assert.strictEqual(cut.length, 5001)
    assert.isTrue(cut.endsWith("…"))
    assert.strictEqual(safe(`x${"👍".repeat(3000)}`), `x${"👍".repeat(2499)}…`)
  })
})

describe("safeLines", () => {
  it("splits at every kind of line end and keeps indentation", () => {
    assert.deepStrictEqual<ReadonlyArray<string>>(safeLines('{\r\n\t"a": 1\n}\rend'), ["{", '  "a": 1', "}", "end"])
  })

  it("cleans each line of any length", () => {
    const [line] = safeLines(`${"x".repeat(9000)}\u001b`)
    assert.strictEqual(line, `${"x".repeat(9000)}^[`)
  })

  it.each([
    ["colour codes", "\u001b[31m漢字e\u0301👍🏽".repeat(70_000)],
    ["one character with a million marks", `a${"\u0301".repeat(1_000_000)}`],
    ["tags", `\u{1F3F4}${"\u{E0061}".repeat(500_000)}`],
    ["joiners", `👍${"\u200d".repeat(1_000_000)}`],
    ["invisible characters in turn", "\u200b\u200e".repeat(300_000)]
  ])("ends on a megabyte of %s", (_, text) => {
    assert.isAbove(safeLines(text).join("").length, 0)
    assert.isAtMost(safe(text).length, 60_000)
  })
})
