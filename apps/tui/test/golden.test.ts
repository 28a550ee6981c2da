import { describe, it } from "@effect/vitest"
import { expect } from "vitest"
import { themeNames } from "@signalbox/operator/connections/NamedConnection"
import { painter } from "../src/theme/Theme.ts"
import { glyphs } from "../src/theme/Glyphs.ts"
import { isSelected, plain, type Row, type Tone } from "../src/view/Row.ts"
import { width } from "@signalbox/operator/text/Width"
import { render } from "../src/app/View.ts"
import { nothingSpoken, speak } from "../src/view/Spoken.ts"
import { goldenScreens, goldenSizes } from "./GoldenScreens.ts"
import { loaded, play, pressed } from "./Sample.ts"

/** Letters of the tones: their colours in each theme have tests of their own. */
const letters: Readonly<Record<Tone, string>> = {
  plain: "p",
  dim: "d",
  strong: "s",
  title: "t",
  accent: "a",
  key: "k",
  ok: "o",
  failed: "f",
  warning: "w",
  waiting: "q",
  demo: "e",
  live: "l",
  notice: "n",
  field: "i",
  cursor: "c",
  match: "m"
}

const withGround: ReadonlySet<Tone> = new Set(["field", "cursor", "match", "demo", "live"])

/** The tone of each cell as a letter, upper case where it is selected; empty cells that show no tone are left empty. */
const toneMap = (row: Row): string =>
  row.spans
    .map((span) => {
      const selected = row.selected === true || isSelected(span)
      const letter = selected ? letters[span.tone].toUpperCase() : letters[span.tone]
      return Array.from(span.text, (character) =>
        (character === " " && !selected && !withGround.has(span.tone) ? " " : letter).repeat(width(character))
      ).join("")
    })
    .join("")

/** The widths whose tones are compared: panels side by side, and one below the other. */
const tonedColumns: ReadonlySet<number> = new Set([80, 120])

const lines = (all: ReadonlyArray<string>): string => `${all.map((line) => line.trimEnd()).join("\n")}\n`

describe("golden screens", () => {
  for (const size of goldenSizes) {
    for (const [name, stateAt] of Object.entries(goldenScreens)) {
      const label = `${name}-${size.columns}x${size.rows}`
      it(label, async () => {
        const rows = render(stateAt(size))
        expect(rows.length).toBe(size.rows)
        expect(rows.map((row) => width(plain(row)))).toEqual(rows.map(() => size.columns))
        await expect(lines(rows.map(plain))).toMatchFileSnapshot(`golden/${label}.txt`)
        if (tonedColumns.has(size.columns))
          await expect(lines(rows.map(toneMap))).toMatchFileSnapshot(`golden/${label}.tones.txt`)
      })
    }
  }
  for (const theme of themeNames) {
    it(`theme ${theme}`, async () => {
      const paint = painter(theme, "256")
      const rows = render(play(loaded(12, { columns: 80, rows: 15 }), pressed("j", "j")).state)
      const text = rows.map((row) => paint(row).replaceAll("\u001B", "<ESC>")).join("\n")
      await expect(`${text}\n`).toMatchFileSnapshot(`golden/theme-${theme}.txt`)
    })
  }
  it("what a screen reader says of each in other words than those shown, and at the end of its list", async () => {
    const said = Object.entries(goldenScreens).map(([name, stateAt]) => {
      const state = stateAt({ columns: 100, rows: 30 })
      const frames = [state, play(state, pressed("G")).state].map((shown) => ({
        place: name,
        screen: 0,
        rows: render(shown)
      }))
      let last = nothingSpoken
      const spoken = frames.flatMap((frame) => {
        const { said: now, spoken: next } = speak(last, frame)
        last = next
        const shown = frame.rows.map(plain).join("\n")
        return now.filter((line) => !shown.includes(line))
      })
      return `${name}\n${spoken.map((line) => `  ${line}\n`).join("")}`
    })
    await expect(lines(said)).toMatchFileSnapshot("golden/spoken.txt")
  })
  it("ASCII signs", async () => {
    const state = loaded(12, { columns: 80, rows: 15 })
    const rows = render({ ...state, settings: { ...state.settings, glyphs: glyphs.ascii } })
    const text = rows.map(plain).join("\n")
    await expect(`${text}\n`).toMatchFileSnapshot("golden/ascii.txt")
  })
})
