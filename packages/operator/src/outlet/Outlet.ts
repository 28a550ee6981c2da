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

/** Keys of SendGrid, Amazon and GitHub, and signed tokens, which providers quote in their errors. Also inside of words. */
const bareKeys =
  /SG\.[\w-]{16,}\.[\w-]{16,}|AKIA[\dA-Z]{16}|gh[oprsu]_\w{36,}|github_pat_\w{22,}|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/gu

const withoutBareKeys = (text: string): string => text.replace(bareKeys, "<redacted>")

/** A string without secrets. */
export const cleaned = (text: string): string => withoutBareKeys(ownRedaction().text(text))

const cleanings: Readonly<Record<ExitRules["secrets"], (text: string) => string>> = {
  removed: cleaned,
  "removed with words": (text) => ownRedaction("messages").text(text),
  stay: (text) => text
}

/** An exit of the table. */
export const outlet = (exit: Exit): Outlet => {
  const { controls, secrets } = exits[exit]
  const treated = treatments[controls]
  const clean = cleanings[secrets]
  // The brand is given here and nowhere else.
  const leave = (text: string): Outgoing => treated(secrets === "stay" ? text : withoutBareKeys(text)) as Outgoing
  // Before the search for secrets: without the characters that a service hid in one, it is one.
  const seen = controls === "removed" ? removed : (text: string): string => text
  const jsonOf = (value: unknown): string => {
    const shown: unknown = controls === "removed" ? JSON.parse(JSON.stringify(value, withoutHidden)) : value
    if (secrets === "stay") return `${JSON.stringify(shown)}\n`
    return `${ownRedaction().exact(JSON.stringify(redact(shown)))}\n`
  }
  return {
    text: (text) => leave(clean(seen(text))),
    json: (value) => leave(jsonOf(value)),
    lines: (values) => leave(values.map(jsonOf).join(""))
  }
}

/** One line of text of a service inside of what is laid out later, on a terminal or in a file, without secrets. */
export const cleanLine = (text: string): SafeText => safe(cleaned(text))

/** The same for text of any length, in lines. */
export const cleanLines = (text: string): ReadonlyArray<SafeText> => safeLines(cleaned(text))
