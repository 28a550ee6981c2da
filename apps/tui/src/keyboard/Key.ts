import { graphemes } from "@signalbox/operator/text/Graphemes"

/**
 * One key press. `name` is what bindings are written in (`"j"`, `"enter"`, `"ctrl-d"`, `"shift-tab"`); `text` is what the
 * key types into a field and is absent for keys that type nothing.
 */
export interface Key {
  readonly name: string
  readonly text?: string
}

/** The flags that Ink passes with the input of one read; a subset, so that tests need not write them all. */
export interface InkFlags {
  readonly upArrow?: boolean
  readonly downArrow?: boolean
  readonly leftArrow?: boolean
  readonly rightArrow?: boolean
  readonly pageDown?: boolean
  readonly pageUp?: boolean
  readonly home?: boolean
  readonly end?: boolean
  readonly return?: boolean
  readonly escape?: boolean
  readonly tab?: boolean
  readonly backspace?: boolean
  readonly delete?: boolean
  readonly ctrl?: boolean
  readonly shift?: boolean
  readonly meta?: boolean
  readonly eventType?: string | undefined
}

const flagged: ReadonlyArray<readonly [keyof InkFlags, string]> = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["pageUp", "pageup"],
  ["pageDown", "pagedown"],
  ["home", "home"],
  ["end", "end"],
  ["return", "enter"],
  ["escape", "escape"],
  ["backspace", "backspace"],
  ["delete", "delete"]
]

const controls: Readonly<Record<string, Key>> = {
  "\r": { name: "enter" },
  "\n": { name: "enter" },
  "\r\n": { name: "enter" },
  "\t": { name: "tab" },
  "\u0008": { name: "backspace" },
  "\u007f": { name: "backspace" },
  "\u001b": { name: "escape" },
  " ": { name: "space", text: " " }
}

/** Letters of control keys that a terminal sends as backspace, tab or enter. */
const otherKeys = new Set(["h", "i", "j", "m"])

/** The names of keys that are not the character that they type. */
export const keyNames: ReadonlyArray<string> = [
  ...flagged.map(([, name]) => name),
  "tab",
  "shift-tab",
  "shift-enter",
  "space",
  ...Array.from("abcdefghijklmnopqrstuvwxyz").flatMap((letter) => (otherKeys.has(letter) ? [] : [`ctrl-${letter}`])),
  "ctrl-space"
]

const fromGrapheme = (grapheme: string): Key | undefined => {
  const control = controls[grapheme]
  if (control !== undefined) return control
  const code = grapheme.codePointAt(0) ?? 0
  if (code < 32) return { name: `ctrl-${String.fromCharCode(code + 96)}` }
  return code >= 0x80 && code < 0xa0 ? undefined : { name: grapheme, text: grapheme }
}

const typed = (input: string): ReadonlyArray<Key> =>
  graphemes(input).flatMap((grapheme) => fromGrapheme(grapheme) ?? [])

/**
 * Turns Ink's input of one read into key presses. Ink hands several typed characters over as one string (`"jjj"`,
 * `"ab\rcd"`), so a burst becomes as many keys as it has graphemes.
 *
 * A key with the Alt flag is Escape followed by that key: nothing is bound to Alt, and a terminal sends the same bytes.
 */
export const fromInk = (input: string, flags: InkFlags): ReadonlyArray<Key> => {
  if (flags.eventType === "release") return []
  if (flags.tab === true) return [{ name: flags.shift === true ? "shift-tab" : "tab" }]
  for (const [flag, name] of flagged) {
    if (flags[flag] === true) {
      const escaped = flags.meta === true && flag !== "escape"
      const key = flag === "return" && flags.shift === true ? { name: "shift-enter" } : { name }
      return escaped ? [{ name: "escape" }, key] : [key]
    }
  }
  if (flags.ctrl === true)
    return input === "" ? [] : [{ name: `ctrl-${input === " " ? "space" : input.toLowerCase()}` }]
  const keys = typed(input)
  return flags.meta === true ? [{ name: "escape" }, ...keys] : keys
}
