import { type Filter, parse } from "@signalbox/operator/filter/Filter"
import * as Effect from "effect/Effect"
import { UsageError } from "../../failure/CommandError.ts"

/** Reads the FILTER words of a command line as one filter. */
export const readFilter = (words: ReadonlyArray<string>): Effect.Effect<Filter, UsageError> => {
  const text = words.join(" ")
  const parsed = parse(text)
  return parsed._tag === "Parsed"
    ? Effect.succeed(parsed.filter)
    : Effect.fail(new UsageError({ message: `filter "${text}": ${parsed.message}` }))
}
