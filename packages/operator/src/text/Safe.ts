/**
 * Text from the service, made safe to draw.
 *
 * Two guarantees: nothing in it controls the terminal or is invisible to the reader, and it takes the number of cells in
 * every terminal that `Width.ts` computes. The second is why emoji sequences are taken apart: terminals disagree about the
 * width of a joined family or a skin tone, and one row that is a cell too long breaks the whole screen.
 */
import { isPlain } from "./PlainCells.ts"

declare const cleaned: unique symbol

/** A string made safe by {@link safe}. Views accept no other strings, so that no field of the service is drawn unchecked. */
export type SafeText = string & { readonly [cleaned]: true }

/** The longest line that is examined; the rest would not be drawn anyway. */
const lineLimit = 5000

/** Marks that one character may carry; more of them run over the lines around. */
const markLimit = 4

/** The scripts in which the two joiners shape the letters. */
const shaped = String.raw`\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}`

/** Characters that a terminal executes or does not show, for a class of a pattern with the flag `u` or `v`. */
export const invisible = String.raw`\p{Control}\p{Format}\p{Unassigned}\p{Surrogate}\p{Line_Separator}\p{Paragraph_Separator}\p{Default_Ignorable_Code_Point}`

const mark = String.raw`[\p{Mark}--\p{Default_Ignorable_Code_Point}]`

const suspicious = [
  String.raw`(?<break>\r\n|[\t\n\v\f\r\u{85}\u{2028}\u{2029}])`,
  // A pictograph with what only changes its looks, or joins the next one to it; a black flag is also spelled in tags.
  String.raw`(?<banner>\u{1F3F4})(?:[\u{FE0E}\u{FE0F}\u{E0020}-\u{E007F}]|\p{Emoji_Modifier}|\u{200D}(?=\p{Extended_Pictographic}))+`,
  String.raw`(?<pictograph>[\p{Extended_Pictographic}0-9#*])(?:[\u{FE0E}\u{FE0F}]|(?<![0-9#*])\p{Emoji_Modifier}|\u{200D}(?=\p{Extended_Pictographic}))+`,
  String.raw`(?<flag>\p{Regional_Indicator}{2})`,
  String.raw`(?<lone>\p{Regional_Indicator})`,
  String.raw`(?<ideograph>\p{Script=Han})[\u{E0100}-\u{E01EF}]+`,
  String.raw`(?<=[${shaped}])(?<joiner>[\u{200C}\u{200D}])`,
  String.raw`(?<marks>${mark}{${markLimit}})(?<surplus>${mark}(?:${mark}|[\u{200C}\u{200D}])*)`,
  String.raw`(?<hidden>[${invisible}])(?<run>\k<hidden>*)`
].join("|")

/** Made for the first string that needs them: making them takes as long as the rest of a short command. */
let patterns: { readonly leadingMark: RegExp; readonly suspicious: RegExp } | undefined

type Found = Readonly<Record<string, string | undefined>>

const named = (character: string, times = 1): string => {
  const code = character.codePointAt(0) ?? 0
  const control = code < 0x20 || code === 0x7f
  // Caret notation as in `cat -v`: an escape character reads `^[`.
  const name = control
    ? `^${String.fromCodePoint(code ^ 0x40)}`
    : `U+${code.toString(16).toUpperCase().padStart(4, "0")}`
  if (times > 1) return `<${name} x${times}>`
  return control ? name : `<${name}>`
}

const replacement = (found: Found): string => {
  if (found["break"] !== undefined) return " "
  const kept = found["pictograph"] ?? found["banner"] ?? found["flag"] ?? found["ideograph"] ?? found["joiner"]
  if (kept !== undefined) return kept
  if (found["marks"] !== undefined) return `${found["marks"]}<+${Array.from(found["surplus"] ?? "").length} marks>`
  const hidden = found["lone"] ?? found["hidden"] ?? ""
  return named(hidden, 1 + (found["run"] ?? "").length / hidden.length)
}

const clean = (text: string): string => {
  if (isPlain(text)) return text
  patterns ??= { leadingMark: new RegExp(`^(?=${mark})`, "v"), suspicious: new RegExp(suspicious, "gv") }
  // A combining mark needs a base character, or it joins the character drawn before it.
  return text.replace(patterns.leadingMark, "\u25CC").replace(patterns.suspicious, (...match: ReadonlyArray<unknown>) =>
    // `replace` gives the named groups as its last argument; the regular expression above has some.
    replacement(match.at(-1) as Found)
  )
}

/** The only place that brands a string as safe. */
const cleanText = (text: string): SafeText => clean(text) as SafeText

/**
 * One line of text: line breaks and tabs are spaces, control characters, bidirectional overrides and invisible
 * characters are shown by name, emoji sequences are taken apart, stacked marks are counted.
 *
 * Display only: copy and export the original. Cut after 5,000 characters.
 *
 * @example
 * ```ts
 * safe("a\u001b[31m b\nc") // => "a^[[31m b c"
 * safe("invoice\u202Egnp.exe") // => "invoice<U+202E>gnp.exe"
 * ```
 */
export const safe = (text: string): SafeText =>
  cleanText(
    // The cut may split a surrogate pair; drop the half that remains.
    text.length <= lineLimit ? text : `${text.slice(0, lineLimit).replace(/\p{Surrogate}$/u, "")}…`
  )

/**
 * Splits a string of any length into lines and makes each line safe. A tab becomes two spaces.
 */
export const safeLines = (text: string): ReadonlyArray<SafeText> =>
  text.split(/\r\n|[\n\r]/u).map((line) => cleanText(line.replaceAll("\t", "  ")))
