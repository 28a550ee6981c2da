/**
 * The options of a command as a table, from which its help and its reader are made.
 */
import { parseArgs } from "node:util"
import { expectedOneOf } from "@signalbox/core/Nearest"

/** Options by their names. */
export interface Options {
  readonly [name: string]: {
    /** The name of the value in the help; absent for a switch. */
    readonly value?: string
    /** Its purpose, as a phrase; absent where the text of the help explains it. */
    readonly about?: string
    /** The largest value, where it is an integer. */
    readonly maximum?: number
    /** Default 0. */
    readonly minimum?: number
  }
}

/** The values of the options that a command line has. */
export type Values<Table extends Options> = {
  readonly [Name in keyof Table]?: Table[Name] extends { readonly maximum: number }
    ? number
    : Table[Name] extends { readonly value: string }
      ? string
      : true
} & { readonly help?: true }

/** The lines about the options in the help of a command. */
export const helpOf = (options: Options): string =>
  Object.entries(options)
    .map(([name, { about, value }]) =>
      about === undefined ? "" : `  ${`--${name}${value === undefined ? "" : ` ${value}`}`.padEnd(23)}${about}\n`
    )
    .join("") + "  --help\n"

const integer = (name: string, text: string, minimum: number, maximum: number): number => {
  if (/^\d{1,15}$/u.test(text) && Number(text) >= minimum && Number(text) <= maximum) return Number(text)
  throw new RangeError(`${name} must be an integer from ${minimum} to ${maximum}, not "${text}"`)
}

/**
 * Reads words by a table of options. The last value of an option counts: images start the fake with options that users
 * replace.
 *
 * @throws RangeError in one line that names the option and what is expected.
 */
export const parse = <const Table extends Options>(
  options: Table,
  words: ReadonlyArray<string>
): { readonly values: Values<Table>; readonly operands: ReadonlyArray<string> } => {
  const { tokens } = parseArgs({
    args: [...words],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries([
      ...Object.entries(options).map(([name, { value }]) => [
        name,
        { type: value === undefined ? "boolean" : "string" }
      ]),
      ["help", { type: "boolean", short: "h" }]
    ])
  })
  const known: Options = { ...options, help: {} }
  const values: Record<string, string | number | true> = {}
  const operands: Array<string> = []
  for (const token of tokens) {
    if (token.kind === "positional") operands.push(token.value)
    if (token.kind !== "option") continue
    const { inlineValue, name, rawName, value } = token
    const option = Object.hasOwn(known, name) ? known[name] : undefined
    if (option === undefined) {
      const names = Object.keys(known).map((one) => `--${one}`)
      throw new RangeError(`unknown option ${rawName}; ${expectedOneOf(rawName, names)}`)
    }
    if (option.value === undefined && value !== undefined) throw new RangeError(`${rawName} takes no value`)
    // An option, unlike a negative number, is never the value of another.
    if (option.value !== undefined && (value === undefined || (inlineValue !== true && /^-(?!\d)/u.test(value))))
      throw new RangeError(`${rawName} needs a value: ${rawName} ${option.value}`)
    const { maximum, minimum = 0 } = option
    values[name] = maximum === undefined ? (value ?? true) : integer(rawName, value ?? "", minimum, maximum)
  }
  // The loop has kept a value of the type that the table gives each option.
  return { values: values as Values<Table>, operands }
}

/** Reads words by a table of options, where a command takes nothing else. */
export const parseOnly = <const Table extends Options>(options: Table, words: ReadonlyArray<string>): Values<Table> => {
  const { operands, values } = parse(options, words)
  if (operands[0] !== undefined) throw new RangeError(`unexpected "${operands[0]}"; expected only options`)
  return values
}
