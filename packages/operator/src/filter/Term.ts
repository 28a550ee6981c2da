/**
 * The terms of a filter string, each with its position: `-key:value,"a value with spaces"`.
 */

/** A range of the string: from the character at `from` up to, but not including, the one at `to`. */
export interface Place {
  readonly from: number
  readonly to: number
}

/** One value of a term. */
export interface Value extends Place {
  readonly text: string
  /** Whether it was quoted: a quoted value is taken verbatim. */
  readonly quoted: boolean
}

/** One term. */
export interface Term extends Place {
  readonly negated: boolean
  /** The word before the colon; absent when the term has none. */
  readonly key: (Place & { readonly text: string }) | undefined
  readonly values: ReadonlyArray<Value>
}

/** Why the string cannot be parsed. */
export interface Fault extends Place {
  readonly message: string
}

const isSpace = (character: string | undefined): boolean => character !== undefined && /\s/u.test(character)

const readQuoted = (text: string, from: number): Value | Fault => {
  let value = ""
  for (let at = from + 1; at < text.length; at += 1) {
    const character = text[at] ?? ""
    if (character === '"') return { text: value, quoted: true, from, to: at + 1 }
    const escaped = character === "\\"
    if (escaped) at += 1
    value += escaped ? (text[at] ?? "") : character
  }
  return { message: 'the quote is not closed; end it with "', from, to: text.length }
}

const readBare = (text: string, from: number): Value => {
  let to = from
  while (to < text.length && !isSpace(text[to]) && text[to] !== "," && text[to] !== '"') to += 1
  return { text: text.slice(from, to), quoted: false, from, to }
}

const readValues = (text: string, from: number): ReadonlyArray<Value> | Fault => {
  const values: Array<Value> = []
  let at = from
  for (;;) {
    const value = text[at] === '"' ? readQuoted(text, at) : readBare(text, at)
    if ("message" in value) return value
    values.push(value)
    const next = text[value.to]
    if (next === undefined || isSpace(next)) return values
    if (next !== ",")
      return { message: "a quoted value must end its term or be followed by a comma", from: value.to, to: value.to + 1 }
    at = value.to + 1
  }
}

/** Splits a filter string into its terms. */
export const readTerms = (text: string): ReadonlyArray<Term> | Fault => {
  const terms: Array<Term> = []
  let at = 0
  while (at < text.length) {
    if (isSpace(text[at])) {
      at += 1
      continue
    }
    const from = at
    const negated = text[at] === "-"
    if (negated) at += 1
    const word = /^[^\s:",]*/u.exec(text.slice(at))?.[0] ?? ""
    const colon = at + word.length
    const hasKey = text[colon] === ":"
    const values = readValues(text, hasKey ? colon + 1 : at)
    if ("message" in values) return values
    const to = values.at(-1)?.to ?? colon
    terms.push({ negated, key: hasKey ? { text: word, from: at, to: colon } : undefined, values, from, to })
    // A bare value ends at a quote, which then begins the next term: always at least one character further.
    at = Math.max(to, from + 1)
  }
  return terms
}

/** Formats a value for a filter string. Adds quotes if it would otherwise parse differently, or if `verbatim` is set. */
export const writeValue = (value: string, verbatim = false): string =>
  verbatim || value === "" || /[\s,"\\]/u.test(value) ? `"${value.replaceAll(/["\\]/gu, "\\$&")}"` : value
