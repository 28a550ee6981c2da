/**
 * Words that the parser takes for a request for help or the version, which exits with 0, although they are none.
 */
import type { HelpDoc } from "effect/cli/HelpDoc"

/** The words before `--`. */
export const beforeOperands = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.includes("--") ? args.slice(0, args.indexOf("--")) : args

const isCombined = (word: string): boolean => /^-[^-=]*[hv]/u.test(word) && !/^-[hv](?:=|$)/u.test(word)

/**
 * A word that the parser would take for a request for help or the version: `-1h` for `-1 -h`. Such a check would exit with 0
 * without running.
 */
export const combinedHelp = (args: ReadonlyArray<string>): string | undefined => beforeOperands(args).find(isCombined)

const isRequest = (word: string): boolean => /^-(?:h|v|-help|-version)$/u.test(word)

/** Whether the words ask for help or the version. */
export const asksForHelp = (args: ReadonlyArray<string>): boolean => beforeOperands(args).some(isRequest)

/** The flag before what the parser takes for a request for help or the version, as in `--limit -h` or `--since -1h`. */
export const flagBeforeHelp = (args: ReadonlyArray<string>): string | undefined => {
  const words = beforeOperands(args)
  const at = words.findIndex((word) => isRequest(word) || isCombined(word))
  return words[at - 1]?.startsWith("-") === true ? words[at - 1] : undefined
}

/** That a flag has no value, where it needs one. */
export const missingValue =
  (word: string) =>
  ({ flags, inheritedFlags = [] }: Pick<HelpDoc, "flags" | "inheritedFlags"> = { flags: [] }): string | undefined => {
    const flag = [...flags, ...inheritedFlags].find(({ aliases, name }) => [`--${name}`, ...aliases].includes(word))
    return flag === undefined || flag.type === "boolean"
      ? undefined
      : `--${flag.name} needs a value: --${flag.name} ${flag.type}`
  }
