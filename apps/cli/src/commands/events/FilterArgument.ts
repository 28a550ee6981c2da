import { type Filter, parse } from "@signalbox/operator/filter/Filter"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { usage, type UsageError } from "../../failure/CommandError.ts"
import { Process } from "../../process/Process.ts"

/** Reads the FILTER words of a command line as one filter. */
export const readFilter = (words: ReadonlyArray<string>): Effect.Effect<Filter, UsageError> => {
  const text = words.join(" ")
  const parsed = parse(text)
  return parsed._tag === "Parsed" ? Effect.succeed(parsed.filter) : usage(`filter "${text}": ${parsed.message}`)
}

/** Refuses `--since` next to a time in the filter. */
export const requireNoTime = ({ clauses }: Filter): Effect.Effect<void, UsageError> =>
  clauses.some(({ key }) => key === "after" || key === "before")
    ? usage("--since cannot be used with after or before in the filter")
    : Effect.void

/** Adds `--since` to the FILTER words of a command line. */
export const withSince = Effect.fnUntraced(function* (words: ReadonlyArray<string>, since: Option.Option<string>) {
  if (Option.isNone(since)) return words
  yield* requireNoTime(yield* readFilter(words))
  return [...words, `after:${since.value}`]
})

/** Reads the filter of a command that reads events, and reports its search words: one may be a mistyped condition. */
export const filterOf = Effect.fnUntraced(function* (input: {
  readonly filter: ReadonlyArray<string>
  readonly quiet: boolean
}) {
  const filter = yield* readFilter(input.filter)
  const words = filter.clauses.flatMap(({ key, values }) => (key === "text" ? values : []))
  const { report } = yield* Process
  if (words.length > 0 && !input.quiet) {
    yield* report(`Searching the text of events for ${words.map((word) => `"${word}"`).join(", ")}\n`)
  }
  return filter
})
