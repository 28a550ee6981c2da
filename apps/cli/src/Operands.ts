import { isFilterKey } from "@signalbox/operator/filter/FilterKey"
import { beforeOperands } from "./help/HelpRequest.ts"

/**
 * The words of a command line with negated conditions behind `--`.
 *
 * `-channel:email` is a condition of a filter; the parser would take it for flags. No flag contains a colon, so a filter key
 * before the first one decides.
 *
 * @example
 * ```ts
 * withOperands(["events", "list", "-channel:email", "--all"]) // => ["events", "list", "--all", "--", "-channel:email"]
 * ```
 */
export const withOperands = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const words = beforeOperands(args)
  const isCondition = (word: string) => isFilterKey(/^-(?<key>[a-z]+)[.:]/u.exec(word)?.groups?.["key"] ?? "")
  const conditions = words.filter(isCondition)
  if (conditions.length === 0) return args
  return [...words.filter((word) => !isCondition(word)), "--", ...conditions, ...args.slice(words.length + 1)]
}
