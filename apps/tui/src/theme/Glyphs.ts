/** The signs of the screens. Every sign is next to a word, so that none carries meaning alone. */
export interface Glyphs {
  readonly name: "unicode" | "ascii"
  readonly ok: string
  readonly failed: string
  readonly warning: string
  readonly waiting: string
  readonly queued: string
  readonly skipped: string
  readonly unknown: string
  readonly line: string
  readonly bar: string
  readonly thumb: string
  readonly cursor: string
  readonly selected: string
  readonly folded: string
  readonly unfolded: string
  readonly crumb: string
  readonly arrow: string
  readonly block: string
  readonly gap: string
  readonly here: string
  readonly times: string
  /** A part of a bar that a sample shows. */
  readonly sampled: string
  /** A time of which only a sample was read, below bars. */
  readonly sampledTime: string
  /** Eight levels of a bar, from the lowest to a full cell. */
  readonly levels: string
}

const unicode: Glyphs = {
  name: "unicode",
  ok: "✓",
  failed: "✗",
  warning: "!",
  waiting: "~",
  queued: "·",
  skipped: "-",
  unknown: "?",
  line: "─",
  bar: "│",
  thumb: "┃",
  cursor: "›",
  selected: "•",
  folded: "▸",
  unfolded: "▾",
  crumb: "›",
  arrow: "→",
  block: "█",
  gap: "┄",
  here: "▲",
  times: "×",
  sampled: "▒",
  sampledTime: "·",
  levels: "▁▂▃▄▅▆▇█"
}

const ascii: Glyphs = {
  name: "ascii",
  ok: "+",
  failed: "x",
  warning: "!",
  waiting: "~",
  queued: ".",
  skipped: "-",
  unknown: "?",
  line: "-",
  bar: "|",
  thumb: "#",
  cursor: ">",
  selected: "*",
  folded: "=",
  unfolded: "v",
  crumb: ">",
  arrow: "->",
  block: "#",
  gap: ":",
  here: "^",
  times: "x",
  sampled: "o",
  sampledTime: ".",
  levels: "_..-=+##"
}

/** The signs by name. */
export const glyphs = { unicode, ascii } as const

/** ASCII where the locale is not UTF-8 or the Linux console has no such font, Unicode elsewhere. */
export const glyphsFrom = (environment: Readonly<Record<string, string | undefined>>): Glyphs => {
  const locale = environment["LC_ALL"] || environment["LC_CTYPE"] || environment["LANG"] || ""
  if (environment["TERM"] === "linux" || environment["TERM"] === "dumb") return ascii
  return locale === "" || /utf-?8/iu.test(locale) ? unicode : ascii
}
