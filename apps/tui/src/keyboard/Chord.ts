import type { Key } from "./Key.ts"

/** What was typed of an unfinished command: the count (`10` of `10j`) and the keys so far (`g` of `g g`). */
export interface Chord {
  readonly count: string
  readonly keys: ReadonlyArray<string>
}

/** Nothing typed. */
export const empty: Chord = { count: "", keys: [] }

/** A finished command: the bound sequence (`"g g"`) and the count before it, if one was typed. */
export interface Match {
  readonly sequence: string
  readonly count: number | undefined
}

const largestCount = 99_999

const isDigit = (name: string) => name.length === 1 && name >= "0" && name <= "9"

/**
 * Feeds one key. `sequences` are the bindings of the screen, keys separated by a space. A key that continues no binding
 * drops what was typed and is tried alone, so a mistyped `g` never swallows the next command.
 */
export const feed = (
  chord: Chord,
  key: Key,
  sequences: ReadonlySet<string>
): { readonly chord: Chord; readonly match?: Match } => {
  if (chord.keys.length === 0 && isDigit(key.name) && !sequences.has(key.name)) {
    if (chord.count === "" && key.name === "0") return { chord: empty }
    return { chord: { count: (chord.count + key.name).slice(0, 5), keys: [] } }
  }
  const keys = [...chord.keys, key.name]
  const sequence = keys.join(" ")
  if (sequences.has(sequence)) {
    return {
      chord: empty,
      match: { sequence, count: chord.count === "" ? undefined : Math.min(Number(chord.count), largestCount) }
    }
  }
  const prefix = `${sequence} `
  for (const bound of sequences) if (bound.startsWith(prefix)) return { chord: { count: chord.count, keys } }
  return chord.keys.length === 0 ? { chord: empty } : feed({ count: chord.count, keys: [] }, key, sequences)
}

/** What the status line shows while a command is unfinished, such as `10g`. */
export const pending = (chord: Chord): string => chord.count + chord.keys.join("")
