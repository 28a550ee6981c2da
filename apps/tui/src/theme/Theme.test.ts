import { assert, describe, it } from "@effect/vitest"
import { expect } from "vitest"
import { type Row, row, span, type Tone } from "../view/Row.ts"
import { themeNames } from "@signalbox/operator/connections/NamedConnection"
import { depthFrom, painter } from "./Theme.ts"

const line: Row = row([span("sent", "ok"), span(" "), span("failed", "failed")], 20)

// oxlint-disable-next-line no-control-regex -- SGR sequences begin with one
const codes = (text: string) => Array.from(text.matchAll(/\u001B\[([\d;]*)m/gu), ([, code]) => code ?? "")

describe("painter", () => {
  it("uses no colour without colours, in every theme", () => {
    const tones: ReadonlyArray<Tone> = [
      "ok",
      "failed",
      "warning",
      "waiting",
      "live",
      "demo",
      "key",
      "field",
      "match",
      "dim"
    ]
    for (const theme of themeNames) {
      for (const tone of tones) {
        for (const code of codes(painter(theme, "none")(row([span("x", tone)], 2)))) {
          assert.include(["1", "4", "7", "22", "24", "27"], code)
        }
      }
    }
  })
  it("uses only the 16 colours where there are no more", () => {
    for (const theme of themeNames) assert.notInclude(painter(theme, "16")({ ...line, selected: true }), "38;5")
  })
  it("draws a selected row as one bar in reverse video", () => {
    assert.strictEqual(painter("dark", "16")({ ...line, selected: true }), "\u001B[7msent failed         \u001B[27m")
  })
  it("distinguishes ok from failed without colour: by attributes or by the word", () => {
    assert.strictEqual(painter("dark", "none")(line), "sent \u001B[1mfailed\u001B[22m")
  })
  it("leaves out the empty end of a row, but not of a selected one or of a field", () => {
    const paint = painter("dark", "256")
    assert.strictEqual(paint(row([span("sent  ", "ok"), span("  ", "dim")], 20)), "\u001B[38;5;114msent\u001B[39m")
    assert.strictEqual(paint(row([], 20)), "")
    assert.include(paint({ ...row([span("sent")], 8), selected: true }), "sent    ")
    assert.include(paint(row([span("typed   ", "field")], 20)), "typed   ")
  })
  it("draws no line below the empty end of a title", () => {
    const painted = painter("contrast", "none")(row([span("OK     ", "title"), span("done")], 20))
    assert.strictEqual(painted, "\u001B[1m\u001B[4mOK\u001B[24m\u001B[22m     done")
  })
  it("looks.txt has the look of each tone, theme and depth, plain and selected", async () => {
    const tones = "plain dim strong title accent key ok failed warning waiting demo live notice field cursor match"
    const lines = themeNames.flatMap((theme) =>
      (["none", "16", "256"] as const).flatMap((depth) =>
        tones.split(" ").map((tone) => {
          // Each word is a tone.
          const one = row([span("x", tone as Tone)], 1)
          const looks = [one, { ...one, selected: true }].map((each) => codes(painter(theme, depth)(each)).join(" "))
          return `${theme} ${depth} ${tone}: ${looks.join(" | ")}`.trimEnd()
        })
      )
    )
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("./looks.txt")
  })
  it("closes every sequence it opens", () => {
    for (const theme of themeNames) {
      for (const depth of ["none", "16", "256"] as const) {
        const [last = ""] = codes(painter(theme, depth)({ ...line, selected: true })).slice(-1)
        assert.include(["27", "49"], last)
      }
    }
  })
})

describe("depthFrom", () => {
  it("obeys NO_COLOR before anything else, but not when it is empty", () => {
    assert.strictEqual(depthFrom({ NO_COLOR: "1", TERM: "xterm-256color", COLORTERM: "truecolor" }), "none")
    assert.strictEqual(depthFrom({ NO_COLOR: "", TERM: "xterm-256color" }), "256")
  })
  it("reads the terminal", () => {
    assert.strictEqual(depthFrom({ TERM: "dumb" }), "none")
    assert.strictEqual(depthFrom({ TERM: "linux" }), "16")
    assert.strictEqual(depthFrom({ TERM: "xterm", COLORTERM: "truecolor" }), "256")
  })
})
