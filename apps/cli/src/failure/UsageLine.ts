import { isFilterKey } from "@signalbox/operator/filter/FilterKey"
import { expectedOneOf, nearest } from "@signalbox/core/Nearest"
import { shellWord } from "@signalbox/operator/report/Curl"
import type { NonShowHelpErrors } from "effect/cli/CliError"
import type { HelpDoc } from "effect/cli/HelpDoc"
import { flagRows, usageOf } from "../help/HelpText.ts"

/** Where a mistake was made and what is allowed there. */
export interface Invocation {
  /** The words of the command line. */
  readonly args: ReadonlyArray<string>
  readonly commandPath: ReadonlyArray<string>
  readonly helpDoc: HelpDoc
}

const flagNames = ({ flags, globalFlags = [], inheritedFlags = [] }: HelpDoc): ReadonlyArray<string> =>
  [...flags, ...inheritedFlags, ...globalFlags].map(({ name }) => `--${name}`)

/** The commands below a command. */
export const commandNames = ({ subcommands = [] }: Partial<HelpDoc>): ReadonlyArray<string> =>
  subcommands.flatMap(({ commands }) => commands.map(({ name }) => name))

/** The words of a command. */
export const pathOf = ({ commandPath = [] }: Partial<HelpDoc>): string => commandPath.join(" ")

/** An unknown command below another one: the nearest spelling there, or the commands elsewhere that have the name. */
export const unknownCommand = (word: string, parent: Partial<HelpDoc> = {}, all: ReadonlyArray<HelpDoc>): string => {
  const allowed = commandNames(parent)
  if (allowed.length === 0) return `"${pathOf(parent)}" has no command "${word}"`
  const name = nearest(word, allowed) === undefined ? nearest(word, all.flatMap(commandNames)) : undefined
  const elsewhere = all.filter(({ commandPath }) => name !== undefined && commandPath?.at(-1) === name).map(pathOf)
  const ending =
    elsewhere.length === 0
      ? expectedOneOf(word, allowed)
      : `did you mean ${elsewhere.join(" or ")}? Expected one of: ${allowed.join(", ")}`
  return `unknown command "${word}" for "${pathOf(parent)}"; ${ending}`
}

/** The command that was meant where flags precede it; without a command, the one that shows events with such a flag. */
const flagsLast = (option: string, args: ReadonlyArray<string>, all: ReadonlyArray<HelpDoc>): string | undefined => {
  const taking = all.filter(({ flags }) =>
    flags.some(({ aliases, name }) => [`--${name}`, ...aliases].includes(option))
  )
  const named = taking.find(({ commandPath = [] }) => commandPath.slice(1).every((word) => args.includes(word)))
  if (named !== undefined) return `${pathOf(named)} ${option}`
  const showing = ["signalbox ui", "signalbox events list"].find((path) => taking.some((doc) => pathOf(doc) === path))
  return showing === undefined
    ? undefined
    : `${showing} ${args.map((word) => (/^[-\w]+$/u.test(word) ? word : shellWord(word))).join(" ")}`
}

/** The replacement for an unknown flag. Before a command, only the flags of every command are allowed. */
const unknownFlag = (option: string, { args, helpDoc }: Invocation, all: ReadonlyArray<HelpDoc>): string => {
  const names = flagNames(helpDoc)
  const key = option.slice(2)
  if (isFilterKey(key) && helpDoc.args?.some(({ name }) => name === "filter") === true)
    return `${key} is a condition of the filter: ${key}:VALUE`
  const isEarly = names.includes(option) || commandNames(helpDoc).length > 0
  const meant = isEarly ? flagsLast(option, args, all) : undefined
  return meant === undefined ? expectedOneOf(option, names) : `flags follow the command, as in ${meant}`
}

/** How a flag is written with its value, and what it is for. */
const flagInWords = (option: string, helpDoc: HelpDoc): readonly [string, string] => {
  const [name, about] = flagRows(helpDoc).find(([names]) => names.split(" ").includes(`--${option}`)) ?? ["", ""]
  return [name.replace(/^-\w, /u, ""), `${about.charAt(0).toLowerCase()}${about.slice(1).replace(/\.$/u, "")}`]
}

/** The values of a flag or an argument, as the parser words them. */
const expectation = (expected: string): string => {
  if (expected.startsWith("did you mean ")) return expected
  const plain = expected.replace(/^Expected:?\s+/iu, "").replace(/\.$/u, "")
  return `expected ${plain.charAt(0).toLowerCase()}${plain.slice(1)}`
}

/**
 * A usage error as one line: the issue, its location, and the nearest spelling or the allowed values. For an unknown command
 * or flag it needs the help of all commands.
 */
export const usageLine = (error: NonShowHelpErrors, invocation: Invocation, all: ReadonlyArray<HelpDoc>): string => {
  const { commandPath, helpDoc } = invocation
  const place = commandPath.join(" ")
  switch (error._tag) {
    case "UnrecognizedOption":
      return `unknown flag ${error.option} for "${place}"; ${unknownFlag(error.option, invocation, all)}`
    case "UnknownSubcommand":
      return unknownCommand(error.subcommand, helpDoc, all)
    case "MissingOption":
      return `missing flag --${error.option} for "${place}": ${flagInWords(error.option, helpDoc).join(", ")}`
    case "MissingArgument":
      return `missing argument <${error.argument}> for "${place}"; expected: ${usageOf(helpDoc)}`
    case "UnexpectedArgument":
      return `unexpected argument "${error.arguments[0] ?? ""}" for "${place}"; expected: ${usageOf(helpDoc)}`
    case "InvalidValue": {
      const name = error.kind === "flag" ? `--${error.option}` : `<${error.option}>`
      if (error.value === "")
        return `${name} needs a value: ${flagInWords(error.option, helpDoc)[0] || expectation(error.expected)}`
      return /^\d+ occurrences$/u.test(error.value)
        ? `${name} is given more than once`
        : `${name} is "${error.value}"; ${expectation(error.expected)}`
    }
    case "DuplicateOption":
    case "ValidationError":
    case "UserError":
      return error.message
  }
}
