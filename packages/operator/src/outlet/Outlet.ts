/**
 * The one way out of a program: text leaves only as {@link Outgoing}, and only an outlet makes that. It removes secrets and
 * whatever a terminal or a model could execute, as the table of exits says.
 */
import { redact } from "@signalbox/core/Redaction"
import { ownRedaction } from "../connections/OwnKeys.ts"
import { invisible, type SafeText, safe, safeLines } from "../text/Safe.ts"

declare const outgoing: unique symbol

/** Text that may leave the program. The functions that write to streams, files and the clipboard accept no other string. */
export type Outgoing = string & { readonly [outgoing]: true }

/** The treatment of text at one exit. */
export interface ExitRules {
  /**
   * Whether the API keys of the process, and what looks like a secret, are removed or stay. In messages a key that is an
   * ordinary word is removed, too; in data it could be a value.
   */
  readonly secrets: "removed" | "removed with words" | "stay"
  /**
   * Characters that control a terminal, change the direction of text or are invisible: replaced by their names, escaped as
   * in JSON, removed, or unchanged, for another program that reads the bytes.
   */
  readonly controls: "named" | "escaped" | "removed" | "unchanged"
}

/** Every exit of the apps. */
export const exits = {
  /** Records as JSON, and errors as JSON. */
  records: { secrets: "removed", controls: "escaped" },
  /** Records as CSV for another program. */
  csv: { secrets: "removed", controls: "unchanged" },
  /** Tables, records and CSV on a terminal, the screens of the terminal UI, and its pager. */
  terminal: { secrets: "removed", controls: "named" },
  /** Errors, notes, questions and traffic on stderr. */
  notes: { secrets: "removed with words", controls: "named" },
  /** Copies of the terminal UI. */
  clipboard: { secrets: "removed", controls: "unchanged" },
  /** Exports, reports and values that the terminal UI saves. */
  files: { secrets: "removed", controls: "unchanged" },
  /** Recordings of the terminal UI. */
  recordings: { secrets: "removed", controls: "escaped" },
  /** Results and errors for an agent. */
  mcp: { secrets: "removed", controls: "removed" },
  /** Constants of the program: help, scripts for shells, the OpenAPI document, sequences that erase a line. */
  own: { secrets: "stay", controls: "unchanged" },
  /** Names of files and connections for the completion of a shell. */
  candidates: { secrets: "stay", controls: "removed" },
  /** Keys that a command makes: for staged inputs, and of a fake. */
  keys: { secrets: "stay", controls: "escaped" }
} as const satisfies Readonly<Record<string, ExitRules>>

/** The name of an exit. */
export type Exit = keyof typeof exits

/** One exit. */
export interface Outlet {
  /** Text in lines; the colours of tables stay. */
  readonly text: (text: string) => Outgoing
  /** A value as JSON, with a line break at the end. */
  readonly json: (value: unknown) => Outgoing
  /** Values as JSON, one a line. */
  readonly lines: (values: ReadonlyArray<unknown>) => Outgoing
}

/** Line breaks, and the colours that tables use: no other sequence. */
const layout = new RegExp(String.raw`(\u001B\[(?:0|1|2|31|32|33)m|\r?\n)`, "u")

const named = (text: string): string =>
  text
    .split(layout)
    .map((part, at) => (at % 2 === 1 ? part : safeLines(part).join("\n")))
    .join("")

const hidden = new RegExp(`[${invisible}]`, "gu")

// Most records are ASCII, and neither spend time on the long pattern nor have it compiled.
const escaped = (text: string): string =>
  text.replace(/[^\n -~]+/gu, (run) =>
    run.replace(hidden, (character) =>
      Array.from(
        { length: character.length },
        (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`
      ).join("")
    )
  )

const removed = (text: string): string => text.replace(hidden, (found) => (/[\n\t]/u.test(found) ? found : ""))

/** JSON escapes control characters, which its reader would get back. */
const withoutHidden = (_key: string, part: unknown): unknown => {
  if (typeof part === "string") return removed(part)
  if (typeof part !== "object" || part === null || Array.isArray(part)) return part
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [removed(name), value]))
}

const treatments: Readonly<Record<ExitRules["controls"], (text: string) => string>> = {
  named,
  escaped,
  removed,
  unchanged: (text) => text
}

/** Keys that providers quote in their errors, by their form, private keys of certificates, and signed tokens. Also inside of words. */
const bareKeys = new RegExp(
  [
    String.raw`SG\.[\w-]{16,}\.[\w-]{16,}`,
    String.raw`A[KS]IA[\dA-Z]{16}`,
    String.raw`gh[oprsu]_\w{36,}|github_pat_\w{22,}|glpat-[\w-]{20,}|npm_\w{36,}`,
    String.raw`(?:xox[a-z]|xapp)-[\w-]{10,}`,
    String.raw`AIza[\w-]{35}|ya29\.[\w-]{20,}`,
    String.raw`[rs]k_live_\w{16,}`,
    String.raw`-----BEGIN [A-Z ]*PRIVATE KEY-----[^-"]*(?:-----END [A-Z ]*PRIVATE KEY-----)?`,
    String.raw`eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}`
  ].join("|"),
  "gu"
)

const withoutBareKeys = (text: string): string => text.replace(bareKeys, "<redacted>")

const unseen = /[\p{Format}\p{Default_Ignorable_Code_Point}]+/gu

/** Removes also a secret between whose characters there are some that no reader sees. */
const throughUnseen =
  (clean: (text: string) => string) =>
  (text: string): string => {
    const shown = clean(text)
    if (!/[^\n -~]/u.test(shown)) return shown
    const plain = shown.replace(unseen, "")
    const cleaned = clean(plain)
    return cleaned === plain ? shown : cleaned
  }

/** A string without secrets. */
export const cleaned = throughUnseen((text) => withoutBareKeys(ownRedaction().text(text)))

const cleanings: Readonly<Record<ExitRules["secrets"], (text: string) => string>> = {
  removed: cleaned,
  "removed with words": throughUnseen((text) => withoutBareKeys(ownRedaction("messages").text(text))),
  stay: (text) => text
}

const cleanedJson = throughUnseen((text) => withoutBareKeys(ownRedaction().exact(text)))

/** An exit of the table. */
export const outlet = (exit: Exit): Outlet => {
  const { controls, secrets } = exits[exit]
  const treated = treatments[controls]
  const clean = cleanings[secrets]
  // The brand is given here and nowhere else.
  const leave = (text: string): Outgoing => treated(text) as Outgoing
  // Before the search for secrets: without the characters that a service hid in one, it is one.
  const seen = controls === "removed" ? removed : (text: string): string => text
  const jsonOf = (value: unknown): string => {
    const shown: unknown = controls === "removed" ? JSON.parse(JSON.stringify(value, withoutHidden)) : value
    return `${secrets === "stay" ? JSON.stringify(shown) : cleanedJson(JSON.stringify(redact(shown)))}\n`
  }
  return {
    text: (text) => leave(clean(seen(text))),
    json: (value) => leave(jsonOf(value)),
    lines: (values) => leave(values.map(jsonOf).join(""))
  }
}

/**
 * Several times what `safe` leaves of a line. A secret of ordinary length that the cut splits is far behind that, unless
 * redaction has made the text before it much shorter.
 */
const examined = 20_000

/** One line of text of a service inside of what is laid out later, on a terminal or in a file, without secrets. */
export const cleanLine = (text: string): SafeText => {
  if (text.length <= examined) return safe(cleaned(text))
  const start = cleaned(text.slice(0, examined))
  return safe(start.length < examined / 2 ? cleaned(text) : start)
}

/** The same for text of any length, in lines. */
export const cleanLines = (text: string): ReadonlyArray<SafeText> => safeLines(cleaned(text))
