import { isSelected, type Row, type Span, type Tone } from "../view/Row.ts"

/** The names that `--theme` and `:theme` take. */
export const themeNames = ["dark", "light", "contrast", "colour-blind"] as const

/** The name of a theme. */
export type ThemeName = (typeof themeNames)[number]

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
  /** The 256-colour background of a selected row; elsewhere selection is reverse video. */
  readonly selection?: string
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
    selection: "48;5;238",
    looks: {
      ...shared,
      dim: look("90", "38;5;245"),
      title: look("36", "38;5;117", "1"),
      accent: look("36", "38;5;117"),
      key: look("33", "38;5;222"),
      ok: look("32", "38;5;114"),
      failed: look("31", "38;5;210", "1"),
      warning: look("33", "38;5;221"),
      waiting: look("34", "38;5;111"),
      live: look("31", "38;5;210", "1;7"),
      notice: look("33", "38;5;222"),
      field: look("37", "38;5;255", "4"),
      match: look("33", "38;5;222", "1;4")
    }
  },
  light: {
    selection: "48;5;253",
    looks: {
      ...shared,
      dim: look("90", "38;5;242"),
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
    selection: "48;5;238",
    looks: {
      ...shared,
      dim: look("90", "38;5;245"),
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

const parameters = (tone: Look, depth: ColourDepth): string => {
  const colour = depth === "none" ? undefined : depth === "16" ? tone.basic : tone.indexed
  return [tone.attributes, colour].filter((part) => part !== undefined).join(";")
}

const drawn: ReadonlySet<Tone> = new Set(["field", "cursor", "match", "demo", "live"])

/** Whether a span is only space that looks the same in the tone of the run before it: fewer bytes for the same screen. */
const isUnseen = (part: Span, run: Span): boolean =>
  !drawn.has(part.tone) &&
  !drawn.has(run.tone) &&
  run.tone !== "title" &&
  run.tone !== "failed" &&
  part.text.trim() === ""

/** Draws rows as text with SGR sequences. Ink passes these on and drops every other control sequence. */
export type Paint = (row: Row) => string

/** The painter of a theme at a colour depth. */
export const painter = (name: ThemeName, depth: ColourDepth): Paint => {
  const { looks, selection } = themes[name]
  const codes = new Map<Tone, string>()
  for (const tone of Object.keys(looks)) {
    // `Object.keys` widens to string; the keys of `looks` are exactly the tones.
    codes.set(tone as Tone, parameters(looks[tone as Tone], depth))
  }
  const background = depth === "256" && selection !== undefined ? selection : "7"
  const paintSpan = (part: Span, selected: boolean): string => {
    if (part.text === "") return ""
    const own = codes.get(part.tone) ?? ""
    if (!selected) return own === "" ? part.text : `\u001B[${own}m${part.text}\u001B[0m`
    // Reverse video with a colour would make the text's colour the bar's colour: the bar stays of one piece.
    const code = background === "7" ? "7" : own === "" ? background : `${own};${background}`
    return `\u001B[${code}m${part.text}\u001B[0m`
  }
  return (row) => {
    let painted = ""
    let run: Span | undefined
    let runSelected = false
    for (const part of row.spans) {
      const selected = row.selected === true || isSelected(part)
      const joins =
        run !== undefined &&
        selected === runSelected &&
        (codes.get(run.tone) === codes.get(part.tone) || (selected && background === "7") || isUnseen(part, run))
      if (run !== undefined && joins) {
        run = { text: run.text + part.text, tone: run.tone }
      } else {
        if (run !== undefined) painted += paintSpan(run, runSelected)
        run = part
        runSelected = selected
      }
    }
    return run === undefined ? painted : painted + paintSpan(run, runSelected)
  }
}

/** The colour depth that the environment asks for. `NO_COLOR` wins over everything, then `TERM` and `COLORTERM` decide. */
export const depthFrom = (environment: Readonly<Record<string, string | undefined>>): ColourDepth => {
  const { NO_COLOR, TERM = "", COLORTERM = "" } = environment
  if (NO_COLOR !== undefined && NO_COLOR !== "") return "none"
  if (TERM === "dumb") return "none"
  return COLORTERM !== "" || /256|direct|kitty|ghostty|alacritty|wezterm/u.test(TERM) ? "256" : "16"
}
