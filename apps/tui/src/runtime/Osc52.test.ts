import { outlet } from "@signalbox/operator/outlet/Outlet"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { copyLimit, osc52 as sequenceOf } from "./Osc52.ts"

const osc52 = (text: string, environment: Parameters<typeof sequenceOf>[1]) =>
  sequenceOf(outlet("clipboard").text(text), environment)

const sequence = (text: string, environment = {}): string => {
  const copy = osc52(text, environment)
  if (copy._tag === "TooLarge") throw new Error(copy.message)
  return copy.sequence
}

const bare = "\u001b]52;c;aGk=\u0007"

/** The part that a screen extracts from its pass-throughs. */
const unwrapped = (wrapped: string): ReadonlyArray<string> =>
  wrapped
    .split("\u001b\\")
    .slice(0, -1)
    .map((chunk) => {
      assert.isTrue(chunk.startsWith("\u001bP"))
      return chunk.slice(2)
    })

describe("osc52", () => {
  it("is the bare sequence in a terminal", () => {
    assert.strictEqual(sequence("hi", { TERM: "xterm-256color" }), bare)
    assert.strictEqual(sequence("hi"), bare)
  })

  it("reports the bytes, not the characters", () => {
    assert.deepInclude(osc52("é漢", {}), { _tag: "Made", bytes: 5 })
  })

  it("is sent bare and wrapped in tmux, with doubled escapes", () => {
    const environment = { TMUX: "/run/tmux-1000/default,1,0", TERM: "screen-256color" }
    assert.strictEqual(sequence("hi", environment), `${bare}\u001bPtmux;\u001b\u001b]52;c;aGk=\u0007\u001b\\`)
  })

  it.each([[{ STY: "1.pts-0" }], [{ TERM: "screen.xterm-256color" }]])(
    "goes through GNU screen in chunks: %j",
    (environment) => {
      const text = "x".repeat(3000)
      const chunks = unwrapped(sequence(text, environment))
      assert.isAbove(chunks.length, 5)
      for (const chunk of chunks) assert.isAtMost(chunk.length, 764)
      assert.strictEqual(chunks.join(""), sequence(text))
    }
  )

  it("limits the size of a string and reports the limit", () => {
    assert.strictEqual(osc52("x".repeat(copyLimit), {})._tag, "Made")
    assert.isAtMost(sequence("x".repeat(copyLimit)).length, 100_000)
    const copy = osc52("x".repeat(copyLimit + 1), {})
    assert(copy._tag === "TooLarge")
    assert.strictEqual(
      copy.message,
      "too large to copy: 74995 bytes, and a terminal takes 74994 at most; save it to a file instead"
    )
  })

  it.effect.prop("carries any text, and nothing of it acts on the terminal", [Schema.String], ([text]) =>
    Effect.sync(() => {
      const made = sequence(text)
      assert.match(made, /^\p{Control}\]52;c;[A-Za-z0-9+/=]*\p{Control}$/u)
      const content = Buffer.from(made.slice(7, -1), "base64").toString("utf8")
      assert.strictEqual(content, text.replaceAll(/\p{Surrogate}/gu, "\uFFFD"))
    })
  )
})
