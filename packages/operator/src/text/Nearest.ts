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
 * nearest("chanel", ["channel", "status"]) // => "channel"
 * ```
 */
export const nearest = (word: string, candidates: Iterable<string>): string | undefined => {
  if (word === "" || word.length > 40) return undefined
  const typed = word.toLowerCase()
  let best: { readonly candidate: string; readonly edits: number } | undefined
  for (const candidate of candidates) {
    const known = candidate.toLowerCase()
    const begins = typed.length >= 2 && (known.startsWith(typed) || typed.startsWith(known))
    const edits = begins ? 1 : distance(typed, known)
    const allowed = Math.max(1, Math.floor(Math.max(known.length, typed.length) / 3))
    if (edits <= allowed && edits < (best?.edits ?? Number.POSITIVE_INFINITY)) best = { candidate, edits }
  }
  return best?.candidate
}

/**
 * How a message about an unknown word ends: the nearest spelling, and what is allowed.
 *
 * @example
 * ```ts
 * expectedOneOf("chanel", ["channel", "status"]) // => "did you mean channel? Expected one of: channel, status"
 * expectedOneOf("zzz", ["channel", "status"]) // => "expected one of: channel, status"
 * ```
 */
export const expectedOneOf = (word: string, allowed: ReadonlyArray<string>): string => {
  const close = nearest(word, allowed)
  const list = `xpected one of: ${allowed.join(", ")}`
  return close === undefined ? `e${list}` : `did you mean ${close}? E${list}`
}
