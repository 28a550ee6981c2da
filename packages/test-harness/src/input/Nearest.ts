/** How many letters must be inserted, removed or replaced to make one word of another. */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at]
    for (let to = 1; to <= other.length; to += 1) {
      const replaced = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}

/** The name that was probably meant; `undefined` if none is near. */
export const nearest = (word: string, names: Iterable<string>): string | undefined => {
  let best: { readonly name: string; readonly steps: number } | undefined
  for (const name of names) {
    const steps = distance(word.toLowerCase(), name.toLowerCase())
    if (steps < word.length && steps <= Math.max(2, word.length / 3) && (best === undefined || steps < best.steps))
      best = { name, steps }
  }
  return best?.name
}

/** A question about the name that was probably meant, to follow the rejection of a value; empty if no name is near. */
export const meantBy = (word: unknown, names: Iterable<string>): string => {
  const meant = typeof word === "string" ? nearest(word, names) : undefined
  return meant === undefined ? "" : `; did you mean ${meant}?`
}

/** The names that are expected instead of an unknown one, after the one that was probably meant. */
export const expectedInstead = (word: string, names: Iterable<string>, expected: string): string => {
  const meant = meantBy(word, names)
  return meant === "" ? `; expected ${expected}` : `${meant} Expected ${expected}`
}
