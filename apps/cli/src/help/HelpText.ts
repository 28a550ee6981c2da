/**
 * The help of a command as text.
 */
import type { ArgDoc, FlagDoc, HelpDoc } from "effect/cli/HelpDoc"
import { hasColours } from "../output/Colours.ts"
import type { Process } from "../process/Process.ts"

/** How help is drawn. */
export interface HelpStyle {
  readonly colours: boolean
  /** Width of the terminal; 80 without one. */
  readonly columns?: number
}

/** How help is drawn on the stdout of a process. */
export const helpStyleOf = (
  process: Pick<Process["Service"], "columns" | "environment" | "stdoutIsTerminal">
): HelpStyle => {
  // A terminal that does not know its size reports 0.
  const columns = process.stdoutIsTerminal ? process.columns() : 0
  return { colours: hasColours(process), ...(columns > 0 ? { columns } : {}) }
}

type Row = readonly [name: string, description: string]

/** Reads an `Option` also after it was written as JSON. */
const description = (text: FlagDoc["description"]): string => (text._tag === "Some" ? text.value : "")

const argumentRow = (argument: ArgDoc): Row => [
  `${argument.name.toUpperCase()}${argument.variadic ? "..." : ""}`,
  description(argument.description)
]

const flagRow = (flag: FlagDoc): Row => {
  const names = [...flag.aliases, `--${flag.name}`].join(", ")
  return [flag.type === "boolean" ? names : `${names} ${flag.type}`, description(flag.description)]
}

/** The usage line: arguments in capitals, as in the list of arguments. */
export const usageOf = ({ args = [], commandPath = [], flags, subcommands = [] }: HelpDoc): string =>
  [
    ...commandPath,
    ...(subcommands.length > 0 ? ["COMMAND"] : []),
    ...args.map(({ name, required, variadic }) => {
      const word = `${name.toUpperCase()}${variadic ? "..." : ""}`
      return required ? word : `[${word}]`
    }),
    ...(flags.length > 0 ? ["[flags]"] : [])
  ].join(" ")

/** The arguments of a command, as rows of name and description. */
export const argumentRows = ({ args = [] }: HelpDoc): ReadonlyArray<Row> => args.map(argumentRow)

/** The flags of a command, as rows of name and description. */
export const flagRows = ({ flags, inheritedFlags = [] }: HelpDoc): ReadonlyArray<Row> =>
  [...flags, ...inheritedFlags].map(flagRow)

/** The commands below a command, as rows of name and description. */
export const commandRows = ({ subcommands = [] }: HelpDoc): ReadonlyArray<Row> =>
  subcommands.flatMap(({ commands }) =>
    commands.map((command): Row => [command.name, command.shortDescription ?? command.description])
  )

/** A column narrower than this is not worth wrapping. */
const leastWrapped = 20

/** The lines of a string that is wrapped between words. */
const wrapped = (text: string, columns: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line)
      line = word
    } else line = line === "" ? word : `${line} ${word}`
  }
  return [...lines, line]
}

const table = (rows: ReadonlyArray<Row>, columns: number): ReadonlyArray<string> => {
  const widest = Math.max(...rows.map(([name]) => name.length))
  const indent = widest + 4
  return rows.flatMap(([name, text]) =>
    wrapped(text, Math.max(leastWrapped, columns - indent)).map((line, at) =>
      `${at === 0 ? `  ${name.padEnd(widest)}  ` : " ".repeat(indent)}${line}`.trimEnd()
    )
  )
}

/** The whole help of a command. */
export const helpText = (doc: HelpDoc, { colours, columns = 80 }: HelpStyle): string => {
  const bold = (text: string) => (colours ? `\u001B[1m${text}\u001B[0m` : text)
  const dim = (text: string) => (colours ? `\u001B[2m${text}\u001B[0m` : text)
  const section = (title: string, rows: ReadonlyArray<Row>): ReadonlyArray<string> =>
    rows.length === 0 ? [] : ["", bold(title), ...table(rows, columns)]
  const examples = (doc.examples ?? []).flatMap(({ command, description: about }) =>
    about === undefined ? [`  ${command}`] : [dim(`  # ${about}`), `  ${command}`]
  )
  const hasCommands = (doc.subcommands ?? []).length > 0
  return [
    ...wrapped(doc.description, columns),
    "",
    `${bold("Usage:")} ${usageOf(doc)}`,
    ...section("Commands", commandRows(doc)),
    ...section("Arguments", argumentRows(doc)),
    ...section("Flags", flagRows(doc)),
    ...(examples.length === 0 ? [] : ["", bold("Examples"), ...examples]),
    ...(hasCommands ? ["", `"${(doc.commandPath ?? []).join(" ")} COMMAND --help" shows the help of a command.`] : []),
    ""
  ].join("\n")
}
