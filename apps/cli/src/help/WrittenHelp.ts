/**
 * The help that the build writes to a file. Printing it needs neither the parser nor the definitions of the commands, which
 * take twice as long to load as Node itself.
 */
import { existsSync, readFileSync } from "node:fs"
import type { HelpDoc } from "effect/cli/HelpDoc"
import { beforeOperands, flagBeforeHelp, missingValue } from "./HelpRequest.ts"
import { type HelpStyle, helpText } from "./HelpText.ts"

/** The file, next to the program. */
export const writtenHelpFile = "help.json"

/** The content of the file. */
export interface WrittenHelp {
  readonly commands: ReadonlyArray<HelpDoc>
  /** The pages of the reasons of failed calls, each starting with its name. */
  readonly reasons: ReadonlyArray<string>
}

/** The command that the words ask the help of: `help events list`, `events list --help`. */
const commandOf = (args: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  const words = beforeOperands(args)
  if (words[0] === "help") return words.slice(1)
  if (!words.includes("--help") && !words.includes("-h")) return undefined
  const firstFlag = words.findIndex((word) => word.startsWith("-"))
  return words.slice(0, firstFlag)
}

/** The version or the help that the words ask for; `undefined` for other words, which the parser handles. */
export const writtenText = (
  args: ReadonlyArray<string>,
  version: string,
  style: HelpStyle,
  file = new URL(writtenHelpFile, import.meta.url)
): string | undefined => {
  if (args.length === 1 && args[0] === "--version") return `${version}\n`
  const command = commandOf(args)
  if (command === undefined) return undefined
  // A program that runs from its sources has no such file.
  if (!existsSync(file)) return undefined
  const { commands, reasons }: WrittenHelp = JSON.parse(readFileSync(file, "utf8"))
  const path = ["signalbox", ...command].join(" ")
  const doc = commands.find(({ commandPath = [] }) => commandPath.join(" ") === path)
  if (missingValue(flagBeforeHelp(args) ?? "")(doc) !== undefined) return undefined
  if (doc !== undefined) return helpText(doc, style)
  // RateLimited is written in many ways, as in rate_limited.
  const letters = (name: string | undefined) => name?.replaceAll(/[^a-z]/giu, "").toLowerCase()
  return args[0] === "help"
    ? reasons.find((text) => letters(text.split("\n")[0]) === letters(command.join("")))
    : undefined
}
