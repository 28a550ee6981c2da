const printable = /^[ -~]*$/u

/** Created on first use: it loads tables that most starts do not need. */
let segmenter: Intl.Segmenter | undefined

/** Iterates over the graphemes of a string with their indexes. Lazy: callers can stop early in a long string. */
export const segments = (text: string): Iterable<{ readonly segment: string; readonly index: number }> => {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" })
  return segmenter.segment(text)
}

/** The characters as a reader counts them: an accent or a vowel sign belongs to its letter. */
export const graphemes = (text: string): ReadonlyArray<string> =>
  printable.test(text) ? text.split("") : Array.from(segments(text), ({ segment }) => segment)
