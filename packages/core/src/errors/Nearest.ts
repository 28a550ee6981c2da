/**
 * The name that was probably meant by one with a typing error, and the end of the message that rejects it.
 *
 * **When to use**: in tools around this library, such as a command line or a fake, so that all of them suggest alike.
 */

/** Edits (insert, delete, replace, swap neighbours) between two short words. */
const distance = (a: string, b: string): number => {
  let beforePrevious: ReadonlyArray<number> = []
  let previous: ReadonlyArray<number> = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1]
      let least = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1)
      )
      if (a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        least = Math.min(least, (beforePrevious[column - 2] ?? 0) + 1)
      }
      current.push(least)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[b.length] ?? 0
}

/**
 * The candidate with the most similar spelling; `undefined` when none is close.
 *
 * @example
 * ```ts
 * import { nearest } from "@signalbox/core/Nearest"
 *
 * nearest("chanel", ["channel", "status"]) // => "channel"
 * ```
 */
export const nearest = (word: string, candidates: Iterable<string>): string | undefined => {
  if (word === "" || word.length > 40) return undefined
  const typed = word.toLowerCase()
  let best: { readonly candidate: string; readonly edits: number } | undefined
  for (const candidate of candidates) {
    const known = candidate.toLowerCase()
    const begins = Math.min(typed.length, known.length) >= 2 && (known.startsWith(typed) || typed.startsWith(known))
    const edits = begins ? 1 : distance(typed, known)
    const allowed = Math.max(1, Math.floor(Math.max(known.length, typed.length) / 3))
    // Nothing of the word is left where every letter was replaced.
    if (edits < typed.length && edits <= allowed && edits < (best?.edits ?? Number.POSITIVE_INFINITY))
      best = { candidate, edits }
  }
  return best?.candidate
}

/** A question about the name that was probably meant, to follow the rejection of a value; empty if none is close. */
export const meantBy = (value: unknown, names: Iterable<string>): string => {
  const close = typeof value === "string" ? nearest(value, names) : undefined
  return close === undefined ? "" : `; did you mean ${close}?`
}

/**
 * How a message about an unknown word ends: the nearest spelling, and what is allowed.
 *
 * @example
 * ```ts
 * import { expectedOneOf } from "@signalbox/core/Nearest"
 *
 * expectedOneOf("chanel", ["channel", "status"]) // => "did you mean channel? Expected one of: channel, status"
 * expectedOneOf("zzz", ["channel", "status"]) // => "expected one of: channel, status"
 * ```
 */
export const expectedOneOf = (
  word: string,
  allowed: ReadonlyArray<string>,
  names = `one of: ${allowed.join(", ")}`
): string => {
  const close = nearest(word, allowed)
  return close === undefined ? `expected ${names}` : `did you mean ${close}? Expected ${names}`
}
