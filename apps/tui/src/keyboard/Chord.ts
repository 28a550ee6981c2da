import type { Key } from "./Key.ts"

/** The keys of an unfinished sequence, such as the `g` of `g g`. */
export type Chord = ReadonlyArray<string>

/** Nothing typed. */
export const empty: Chord = []

/**
 * Feeds one key. `sequences` are the bindings of the screen, keys separated by a space; `match` is the bound sequence that
 * the key completes. A key that continues no binding drops what was typed and is tried alone, so a mistyped `g` never
 * swallows the next command.
 */
export const feed = (
  chord: Chord,
  key: Key,
  sequences: ReadonlySet<string>
): { readonly chord: Chord; readonly match?: string } => {
  const keys = [...chord, key.name]
  const sequence = keys.join(" ")
  if (sequences.has(sequence)) return { chord: empty, match: sequence }
  const prefix = `${sequence} `
  for (const bound of sequences) if (bound.startsWith(prefix)) return { chord: keys }
  return chord.length === 0 ? { chord: empty } : feed(empty, key, sequences)
}

/** The status line while a sequence is unfinished, such as `g`. */
export const pending = (chord: Chord): string => chord.join("")
