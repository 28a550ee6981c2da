/**
 * Makes new inputs out of known ones; the same seed makes the same inputs.
 */

/** Numbers from 0 to 1 (mulberry32). */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Pieces that break readers more often than random characters do. */
const pieces = [
  "null",
  "-1",
  "1e999",
  "9007199254740993",
  "[]",
  "{}",
  '""',
  '"\\u0000"',
  "__proto__",
  "constructor",
  "\u0000",
  "\u001B[2J",
  "\u202E",
  "\uD800",
  "\uFEFF",
  "%00",
  "\r\n\r\n",
  "\t",
  "é",
  "👩‍👩‍👧",
  "[[[[[[[[[[[[[[[[",
  "a".repeat(300),
  "fuzz-secret-token"
]

type Random = () => number

const below = (random: Random, limit: number): number => Math.floor(random() * limit)

const pick = <A>(random: Random, values: ReadonlyArray<A>): A => {
  const value = values[below(random, values.length)]
  if (value === undefined) throw new Error("nothing to pick from")
  return value
}

const cut = (random: Random, text: string): readonly [string, string] => {
  const at = below(random, text.length + 1)
  return [text.slice(0, at), text.slice(at)]
}

const edits: ReadonlyArray<(random: Random, text: string, others: ReadonlyArray<string>) => string> = [
  (random, text) => {
    const [before, after] = cut(random, text)
    return before + pick(random, pieces) + after
  },
  (random, text) => {
    const [before, after] = cut(random, text)
    return before + after.slice(1 + below(random, 8))
  },
  (random, text) => {
    const [before, after] = cut(random, text)
    return before + String.fromCodePoint(below(random, 0x250)) + after.slice(1)
  },
  (random, text, others) => cut(random, text)[0] + cut(random, pick(random, others))[1],
  (random, text) => {
    const [before, after] = cut(random, text)
    const part = after.slice(0, below(random, 40))
    return before + part.repeat(1 + below(random, 20)) + after
  },
  (random, text) => text.replace(/\d+/u, () => pick(random, ["0", "-1", "1e400", "99999999999999999999"]))
]

const longest = 20_000

/** A new input out of a corpus. */
export const mutate = (random: Random, corpus: ReadonlyArray<string>): string => {
  let text = pick(random, corpus)
  for (let count = 1 + below(random, 4); count > 0; count--) text = pick(random, edits)(random, text, corpus)
  return text.slice(0, longest)
}
