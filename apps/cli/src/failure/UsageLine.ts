import type { NonShowHelpErrors } from "effect/cli/CliError"
import type { HelpDoc } from "effect/cli/HelpDoc"

/** Where a mistake was made and what is allowed there. */
export interface Invocation {
  readonly commandPath: ReadonlyArray<string>
  readonly helpDoc: HelpDoc
}

const meant = (suggestions: ReadonlyArray<string>, allowed: ReadonlyArray<string>): string => {
  if (suggestions.length > 0) return `; did you mean ${suggestions.join(" or ")}?`
  return allowed.length === 0 ? "" : `; expected one of: ${allowed.join(", ")}`
}

const flagNames = ({ flags, globalFlags = [], inheritedFlags = [] }: HelpDoc): ReadonlyArray<string> =>
  [...flags, ...inheritedFlags, ...globalFlags].map(({ name }) => `--${name}`)

/** The commands below a command. */
export const commandNames = ({ subcommands = [] }: HelpDoc): ReadonlyArray<string> =>
  subcommands.flatMap(({ commands }) => commands.map(({ name }) => name))

/** What a flag or an argument takes, as the parser words it. */
const expectation = (expected: string): string => {
  const plain = expected.replace(/^Expected:?\s+/u, "").replace(/\.$/u, "")
  return `expected ${plain.charAt(0).toLowerCase()}${plain.slice(1)}`
}

/** A usage error as one line: what is wrong, where, and the nearest spelling or the allowed values. */
export const usageLine = (error: NonShowHelpErrors, { commandPath, helpDoc }: Invocation): string => {
  const place = commandPath.join(" ")
  switch (error._tag) {
    case "UnrecognizedOption":
      return `unknown flag ${error.option} for "${place}"${meant(error.suggestions, flagNames(helpDoc))}`
    case "UnknownSubcommand":
      return `unknown command "${error.subcommand}" for "${place}"${meant(error.suggestions, commandNames(helpDoc))}`
    case "MissingOption":
      return `missing flag --${error.option} for "${place}"`
    case "MissingArgument":
      return `missing argument <${error.argument}> for "${place}"`
    case "UnexpectedArgument":
      return `unexpected argument "${error.arguments[0] ?? ""}" for "${place}"`
    case "InvalidValue": {
      const name = error.kind === "flag" ? `--${error.option}` : `<${error.option}>`
      return error.value === ""
        ? `${name} needs a value; ${expectation(error.expected)}`
        : `${name} is "${error.value}"; ${expectation(error.expected)}`
    }
    case "DuplicateOption":
    case "ValidationError":
    case "UserError":
      return error.message
  }
}
