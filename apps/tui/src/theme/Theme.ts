import type { ThemeName } from "@signalbox/operator/connections/NamedConnection"
import { isSelected, type Row, type Span, unredactedSpan, type Tone } from "../view/Row.ts"

/** How many colours the terminal shows; `none` under `NO_COLOR` or `TERM=dumb`. */
export type ColourDepth = "none" | "16" | "256"

/** The look of one tone: SGR parameters of the 16-colour and the 256-colour form, and attributes that need no colour. */
interface Look {
  readonly basic?: string
  readonly indexed?: string
  readonly attributes?: string
}

type Looks = Readonly<Record<Tone, Look>>

interface Theme {
  readonly looks: Looks
  /**
   * The 256-colour background of a selected row, and the colour of its text without a tone: the default of the terminal may be
   * unreadable on it. Elsewhere selection is reverse video.
   */
  readonly selection?: { readonly background: string; readonly text: string }
}

const look = (basic: string, indexed: string, attributes?: string): Look =>
  attributes === undefined ? { basic, indexed } : { basic, indexed, attributes }

const shared = {
  plain: {},
  strong: { attributes: "1" },
  cursor: { attributes: "7" },
  demo: { attributes: "7" }
} as const satisfies Partial<Looks>

const themes: Readonly<Record<ThemeName, Theme>> = {
  dark: {
    selection: { background: "48;5;236", text: "38;5;255" },
    looks: {
      ...shared,
      dim: look("90", "38;5;247"),
      title: look("36", "38;5;117", "1"),
      accent: look("36", "38;5;117"),
      key: look("33", "38;5;222"),
      ok: look("32", "38;5;114"),
      failed: look("31", "38;5;210", "1"),
      warning: look("33", "38;5;221"),
      waiting: look("94", "38;5;111"),
      live: look("31", "38;5;210", "1;7"),
      notice: look("33", "38;5;222"),
      field: look("37", "38;5;255", "4"),
      match: look("33", "38;5;222", "1;4")
    }
  },
  light: {
    selection: { background: "48;5;254", text: "38;5;232" },
    looks: {
      ...shared,
      dim: look("90", "38;5;240"),
      title: look("34", "38;5;25", "1"),
      accent: look("34", "38;5;25"),
      key: look("35", "38;5;90"),
      ok: look("32", "38;5;22"),
      failed: look("31", "38;5;124", "1"),
      warning: look("35", "38;5;94"),
      waiting: look("34", "38;5;25"),
      live: look("31", "38;5;124", "1;7"),
      notice: look("35", "38;5;90"),
      field: look("30", "38;5;232", "4"),
      match: look("35", "38;5;90", "1;4")
    }
  },
  contrast: {
    looks: {
      ...shared,
      dim: {},
      title: { attributes: "1;4" },
      accent: { attributes: "1" },
      key: { attributes: "1" },
      ok: look("97", "38;5;231"),
      failed: look("97", "38;5;231", "1;4"),
      warning: look("97", "38;5;231", "1"),
      waiting: look("97", "38;5;231"),
      live: { attributes: "1;7" },
      notice: { attributes: "1" },
      field: { attributes: "4" },
      match: { attributes: "1;4" }
    }
  },
  // Blue against orange: told apart with every common form of colour blindness, and by lightness alone.
  "colour-blind": {
    selection: { background: "48;5;236", text: "38;5;255" },
    looks: {
      ...shared,
      dim: look("90", "38;5;247"),
      title: look("97", "38;5;231", "1"),
      accent: look("36", "38;5;153"),
      key: look("97", "38;5;229"),
      ok: look("94", "38;5;75"),
      failed: look("33", "38;5;208", "1"),
      warning: look("93", "38;5;228"),
      waiting: look("37", "38;5;250"),
      live: look("33", "38;5;208", "1;7"),
      notice: look("97", "38;5;229"),
      field: look("37", "38;5;255", "4"),
      match: look("97", "38;5;229", "1;4")
    }
  }
}

/** An SGR sequence and the one that ends it. */
interface Code {
  readonly open: string
  readonly close: string
}

const sequence = (parameters: string): string => `\u001B[${parameters}m`

const ends: Readonly<Record<string, string>> = { "1": "22", "4": "24", "7": "27" }

const attributeCodes = (attributes: string | undefined): ReadonlyArray<Code> =>
  attributes === undefined
    ? []
    : attributes.split(";").map((one) => ({ open: sequence(one), close: sequence(ends[one] ?? "0") }))

const codesOf = ({ attributes, basic, indexed }: Look, depth: ColourDepth): ReadonlyArray<Code> => {
  const colour = depth === "none" ? undefined : depth === "16" ? basic : indexed
  return [
    ...attributeCodes(attributes),
    ...(colour === undefined ? [] : [{ open: sequence(colour), close: sequence("39") }])
  ]
}

const reverse: ReadonlyArray<Code> = attributeCodes("7")

const drawn: ReadonlySet<Tone> = new Set(["field", "cursor", "match", "demo", "live", "title", "failed"])

/** Whether a span is only space that looks the same in the tone of the run before it: fewer bytes for the same screen. */
const isUnseen = (part: Span, run: Span): boolean =>
  !drawn.has(part.tone) && !drawn.has(run.tone) && part.text.trim() === ""

/** Tones whose empty cells are visible: a field shows its full length, and a badge has a margin. */
const shapes: ReadonlySet<Tone> = new Set(["field", "cursor", "match", "demo", "live"])

/** The spans without the empty cells at their end: a terminal that erases a line leaves just these. */
const withoutEmptyEnd = (spans: ReadonlyArray<Span>): ReadonlyArray<Span> => {
  const last = spans.findLastIndex(({ text, tone }) => shapes.has(tone) || text.trim() !== "")
  const part = spans[last]
  if (part === undefined) return []
  return [...spans.slice(0, last), shapes.has(part.tone) ? part : unredactedSpan(part.text.trimEnd(), part.tone)]
}

/** Splits off the empty cells at the end of a span: underlined, they would look like text. */
const withPlainEnd = (part: Span): ReadonlyArray<Span> => {
  const text = part.text.trimEnd()
  return [
    { ...part, ...unredactedSpan(text, part.tone) },
    { ...part, ...unredactedSpan(part.text.slice(text.length)) }
  ]
}

/** Draws rows as text with SGR sequences. Ink passes these on and drops every other control sequence. */
export type Paint = (row: Row) => string

/**
 * The painter of a theme at a colour depth.
 *
 * It changes from one look to the next with the fewest sequences, in the order that Ink itself writes them: Ink reads a
 * line that it would write in the same form only once for a frame.
 */
export const painter = (name: ThemeName, depth: ColourDepth): Paint => {
  const { looks, selection } = themes[name]
  const codes = new Map<Tone, ReadonlyArray<Code>>()
  const lined = new Set<Tone>()
  for (const tone of Object.keys(looks)) {
    // `Object.keys` widens to string; the keys of `looks` are exactly the tones.
    const { attributes = "" } = looks[tone as Tone]
    if (attributes.split(";").includes("4") && !shapes.has(tone as Tone)) lined.add(tone as Tone)
    codes.set(tone as Tone, codesOf(looks[tone as Tone], depth))
  }
  const bar =
    depth === "256" && selection !== undefined
      ? [
          { open: sequence(selection.text), close: sequence("39") },
          { open: sequence(selection.background), close: sequence("49") }
        ]
      : reverse
  const wantedFor = (part: Span, selected: boolean): ReadonlyArray<Code> => {
    const own = codes.get(part.tone) ?? []
    // Reverse video with a colour would make the text's colour the bar's colour: the bar stays of one piece.
    if (!selected) return own
    if (bar === reverse) return reverse
    return [...own, ...bar.filter(({ close }) => !own.some((code) => code.close === close))]
  }
  return (row) => {
    let painted = ""
    let active: ReadonlyArray<Code> = []
    let run: Span | undefined
    let runSelected = false
    const change = (wanted: ReadonlyArray<Code>) => {
      const gone = active.filter((code) => !wanted.some(({ close }) => close === code.close))
      for (const { close } of gone.toReversed()) painted += close
      let kept = active.filter((code) => !gone.includes(code))
      for (const code of wanted) {
        if (kept.some(({ open }) => open === code.open)) continue
        painted += code.open
        kept = [...kept.filter(({ close }) => close !== code.close), code]
      }
      active = kept
    }
    // A selection is seen where there is nothing in it, too.
    const isSelectedAtAll = row.selected === true || row.spans.some(isSelected)
    const spans = isSelectedAtAll ? row.spans : withoutEmptyEnd(row.spans)
    for (const part of lined.size === 0
      ? spans
      : spans.flatMap((one) => (lined.has(one.tone) ? withPlainEnd(one) : one))) {
      if (part.text === "") continue
      const selected = row.selected === true || isSelected(part)
      if (run === undefined || selected !== runSelected || !isUnseen(part, run)) {
        change(wantedFor(part, selected))
        run = part
        runSelected = selected
      }
      painted += part.text
    }
    change([])
    return painted
  }
}

/** The colour depth that the environment asks for. `NO_COLOR` wins over everything, then `TERM` and `COLORTERM` decide. */
export const depthFrom = (environment: Readonly<Record<string, string | undefined>>): ColourDepth => {
  const { NO_COLOR, TERM = "", COLORTERM = "" } = environment
  if (NO_COLOR !== undefined && NO_COLOR !== "") return "none"
  if (TERM === "dumb") return "none"
  return COLORTERM !== "" || /256|direct|kitty|ghostty|alacritty|wezterm/u.test(TERM) ? "256" : "16"
}
