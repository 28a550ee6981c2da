import { type Filter, parse } from "@signalbox/operator/filter/Filter"
import { isFilterKey } from "@signalbox/operator/filter/FilterKey"
import { canonicalTime } from "@signalbox/operator/filter/FilterTime"
import * as Effect from "effect/Effect"
import { UsageError } from "../../failure/CommandError.ts"

/** The condition that a word was probably meant as. As text to search for, it finds nothing: a false all-clear. */
const conditionFor = (word: string): string | undefined => {
  if (canonicalTime(word) !== undefined) return `after:${word}`
  const [, key = "", value = ""] = /^(-?[a-z]+)=(.*)$/iu.exec(word) ?? []
  return isFilterKey(key.replace("-", "").toLowerCase()) ? `${key}:${value}` : undefined
}

/** Reads the FILTER words of a command line as one filter. */
export const readFilter = (words: ReadonlyArray<string>): Effect.Effect<Filter, UsageError> => {
  const text = words.join(" ")
  const fail = (message: string) => Effect.fail(new UsageError({ message: `filter "${text}": ${message}` }))
  for (const word of words) {
    const condition = conditionFor(word)
    if (condition !== undefined)
      return fail(`"${word}" has no key; write ${condition}, or text:"${word}" to search for it`)
  }
  const parsed = parse(text)
  return parsed._tag === "Parsed" ? Effect.succeed(parsed.filter) : fail(parsed.message)
}
