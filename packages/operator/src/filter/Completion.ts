import { type FilterKey, filterKeyNames, filterKeys, isFilterKey } from "./FilterKey.ts"
import { writeValue } from "./Term.ts"

/** One completion. */
export interface Candidate {
  /** The new part of the text, between `from` and `to`. */
  readonly text: string
  readonly description: string
}

/** The completions of a filter at the cursor. */
export interface Completion {
  /** The part of the text that a candidate replaces. */
  readonly from: number
  readonly to: number
  readonly candidates: ReadonlyArray<Candidate>
}

/** Values that are known from what is loaded, for keys that have no fixed ones. */
export type KnownValues = Partial<Readonly<Record<FilterKey, ReadonlyArray<string>>>>

const times: ReadonlyArray<string> = ["15m", "1h", "24h", "7d"]

const valuesOf = (key: FilterKey, known: KnownValues): ReadonlyArray<string> =>
  known[key] ?? filterKeys[key].names ?? (filterKeys[key].form === "time" ? times : [])

/** Candidates that start with what is typed, then those that contain it. */
const ranked = (names: ReadonlyArray<string>, typed: string): ReadonlyArray<string> => {
  const wanted = typed.toLowerCase()
  const starting = names.filter((name) => name.toLowerCase().startsWith(wanted))
  return [...starting, ...names.filter((name) => !starting.includes(name) && name.toLowerCase().includes(wanted))]
}

/**
 * The candidates for the word at `cursor` (an index into the text): keys, or values of the key that it belongs to.
 *
 * @example
 * ```ts
 * complete("after:24h sta", 13).candidates[0]?.text // => "status:"
 * complete("status:fa", 9).candidates[0]?.text // => "failed"
 * ```
 */
export const complete = (text: string, cursor: number, known: KnownValues = {}): Completion => {
  const before = text.slice(0, cursor)
  const term = /(?:^|\s)(?<sign>-?)(?<word>[^\s:]*)(?<colon>:?)(?<values>\S*)$/u.exec(before)?.groups ?? {}
  const { sign = "", word = "", colon = "", values = "" } = term
  const key = word.toLowerCase()
  if (colon === "") {
    const keys = filterKeyNames.filter(
      (name) => sign === "" || (isFilterKey(name) && filterKeys[name].test !== undefined)
    )
    return {
      from: cursor - word.length,
      to: cursor,
      candidates: ranked(keys, word)
        .filter(isFilterKey)
        .map((name) => ({
          text: `${name}${filterKeys[name].hasField ? "." : ":"}`,
          description: filterKeys[name].description
        }))
    }
  }
  if (!isFilterKey(key)) return { from: cursor, to: cursor, candidates: [] }
  const typed = values.slice(values.lastIndexOf(",") + 1)
  const taken = new Set(values.split(","))
  return {
    from: cursor - typed.length,
    to: cursor,
    candidates: ranked(valuesOf(key, known), typed.replace(/^"/u, ""))
      .filter((value) => value === typed || !taken.has(value))
      .map((value) => ({ text: writeValue(value), description: "" }))
  }
}
