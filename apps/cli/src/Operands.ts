import { isFilterKey } from "@signalbox/operator/filter/FilterKey"

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
  const end = args.indexOf("--")
  const words = end === -1 ? args : args.slice(0, end)
  const isCondition = (word: string) => isFilterKey(/^-(?<key>[a-z]+)[.:]/u.exec(word)?.groups?.["key"] ?? "")
  const conditions = words.filter(isCondition)
  if (conditions.length === 0) return args
  return [
    ...words.filter((word) => !isCondition(word)),
    "--",
    ...conditions,
    ...(end === -1 ? [] : args.slice(end + 1))
  ]
}

/**
 * A word that the parser would take for a request for help or the version: `-1h` for `-1 -h`. Such a check would exit with 0
 * without running.
 */
export const combinedHelp = (args: ReadonlyArray<string>): string | undefined =>
  args
    .slice(0, args.includes("--") ? args.indexOf("--") : args.length)
    .find((word) => /^-[^-=]*[hv]/u.test(word) && !/^-[hv](?:=|$)/u.test(word))
