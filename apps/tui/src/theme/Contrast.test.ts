import { assert, describe, it } from "@effect/vitest"
import { row, span, type Tone } from "../view/Row.ts"
import { type ThemeName, themeNames } from "@signalbox/operator/connections/NamedConnection"
import { painter } from "./Theme.ts"

const tones: ReadonlyArray<Tone> = [
  "plain",
  "dim",
  "strong",
  "title",
  "accent",
  "key",
  "ok",
  "failed",
  "warning",
  "waiting",
  "notice",
  "field",
  "match"
]

const levels = [0, 95, 135, 175, 215, 255]

/** Red, green and blue of one of the 256 colours above the first 16, which every terminal draws alike. */
const channels = (index: number): ReadonlyArray<number> =>
  index >= 232
    ? Array.from({ length: 3 }, () => 8 + (index - 232) * 10)
    : [36, 6, 1].map((weight) => levels[Math.floor((index - 16) / weight) % 6] ?? 0)

/** Relative luminance as in WCAG 2. */
const luminance = (rgb: ReadonlyArray<number>): number => {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
    const part = value / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): number => {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((one, other) => other - one)
  return (light + 0.05) / (dark + 0.05)
}

const indexIn = (painted: string, ground: 38 | 48): number | undefined => {
  const found = new RegExp(`\\[(?:[\\d;]*;)?${ground};5;(\\d+)`, "u").exec(painted)?.[1]
  return found === undefined ? undefined : Number(found)
}

/** The backgrounds that people have, from the black to the not so black, or from the white to the sepia. */
const grounds: Readonly<Record<ThemeName, ReadonlyArray<ReadonlyArray<number>>>> = {
  dark: [
    [0, 0, 0],
    [30, 30, 30]
  ],
  contrast: [[0, 0, 0]],
  "colour-blind": [
    [0, 0, 0],
    [30, 30, 30]
  ],
  light: [
    [255, 255, 255],
    [253, 246, 227]
  ]
}

/** The contrast ratio that WCAG 2 requires for text (level AA). */
const readable = 4.5

describe.each(themeNames)("the theme %s", (name) => {
  const paint = painter(name, "256")
  // A tone without a colour uses the terminal's default, which the user chose, except on the selected row.
  const coloured = tones.flatMap((tone) => {
    const line = row([span("x", tone)], 1)
    const colour = indexIn(paint(line), 38)
    return colour === undefined ? [] : [{ tone, line, colour }]
  })

  it.each(coloured)("draws $tone so that it can be read, also on the selected row", ({ colour, line }) => {
    const selection = indexIn(paint({ ...line, selected: true }), 48)
    for (const ground of [...grounds[name], ...(selection === undefined ? [] : [channels(selection)])]) {
      assert.isAtLeast(contrast(channels(colour), ground), readable)
    }
  })

  it("paints the text of the selected row, whatever the terminal's own colour is", () => {
    for (const tone of tones) {
      const painted = paint(row([span("x", tone)], 1, { selected: true }))
      const [colour, selection] = [indexIn(painted, 38), indexIn(painted, 48)]
      if (selection === undefined) assert.include(painted, "\u001B[7m")
      else assert.isAtLeast(contrast(channels(colour ?? 0), channels(selection)), readable, tone)
    }
  })

  it("marks the selected row so that it can be seen", () => {
    const line = row([span("x")], 1)
    const selection = indexIn(paint({ ...line, selected: true }), 48)
    if (selection === undefined) assert.include(paint({ ...line, selected: true }), "\u001B[7m")
    else assert.isAtLeast(contrast(channels(selection), grounds[name][0] ?? []), 1.2)
  })

  it("has no colour that 16-colour terminals draw near the background", () => {
    // Terminals choose the 16 colours themselves; these are unreadable on many: dark blue and black on dark, bright ones on light.
    const unreadable = name === "light" ? [33, 36, 37, 92, 93, 95, 96, 97] : [30, 34]
    const painted = painter(name, "16")
    for (const tone of tones) {
      const line = row([span("x", tone)], 1)
      for (const drawn of [painted(line), painted({ ...line, selected: true })]) {
        const codes = drawn
          .split("\u001B[")
          .slice(1)
          .map((part) => Number.parseInt(part, 10))
        assert.isEmpty(
          codes.filter((code) => unreadable.includes(code)),
          `${tone}: ${codes.join(" ")}`
        )
      }
    }
  })
})
