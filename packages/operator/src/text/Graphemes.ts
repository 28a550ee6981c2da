const printable = /^[ -~]*$/u

/** Made when the first text needs it: it reads tables that most starts can do without. */
let segmenter: Intl.Segmenter | undefined

/** The graphemes of a text with their places, one at a time: whoever has seen enough of a long text can stop. */
export const segments = (text: string): Iterable<{ readonly segment: string; readonly index: number }> => {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" })
  return segmenter.segment(text)
}

/** What a reader counts as characters: an accent or a vowel sign belongs to its letter. */
export const graphemes = (text: string): ReadonlyArray<string> =>
  printable.test(text) ? text.split("") : Array.from(segments(text), ({ segment }) => segment)
