/** What the command line asks for. */
export interface Arguments {
  readonly suites: ReadonlyArray<string>
  readonly json: string | undefined
  readonly check: boolean
  readonly docs: boolean
  /** A JSON file of an earlier run to use instead of measuring. */
  readonly from: string | undefined
  readonly help: boolean
}

/** A command line that cannot be understood; the message is one line and names the allowed values. */
export class ArgumentError extends Error {
  override readonly name = "ArgumentError"
}

/** The text of `--help`. */
export const usage = (suites: ReadonlyArray<string>): string =>
  [
    "pnpm bench [suite...] [--json FILE] [--check] [--docs] [--from FILE]",
    "",
    `  suite        ${suites.join(", ")}; without one, all of them`,
    "  --json FILE  write the figures to FILE",
    "  --check      print the rows that break tooling/bench/budgets.json and exit with 1",
    "  --docs       keep the figures in tooling/bench/measured.json and write docs/benchmarks.md from them",
    "  --from FILE  use the figures of an earlier --json instead of measuring"
  ].join("\n")

/** Reads the command line, or fails with one line that says what is allowed. */
export const parseArguments = (words: ReadonlyArray<string>, known: ReadonlyArray<string>): Arguments => {
  const suites: Array<string> = []
  let json: string | undefined
  let from: string | undefined
  let check = false
  let docs = false
  let help = false
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ""
    const [flag = "", inline] = word.split("=", 2)
    const file = () => {
      const value = inline ?? words[++index]
      if (value === undefined || value === "" || value.startsWith("--")) {
        throw new ArgumentError(`${flag} needs a file name: ${flag} FILE`)
      }
      return value
    }
    if (flag === "--json") json = file()
    else if (flag === "--from") from = file()
    else if (word === "--check") check = true
    else if (word === "--docs") docs = true
    else if (word === "--help") help = true
    else if (word.startsWith("-")) {
      throw new ArgumentError(`unknown flag "${word}"; allowed: --json FILE, --check, --docs, --from FILE, --help`)
    } else if (!known.includes(word)) {
      throw new ArgumentError(`unknown suite "${word}"; allowed: ${known.join(", ")}`)
    } else if (!suites.includes(word)) suites.push(word)
  }
  if (docs && from === undefined && suites.length > 0) {
    throw new ArgumentError("--docs needs every suite of one run; leave the suite names out, or add --from FILE")
  }
  return { suites: suites.length === 0 ? known : suites, json, check, docs, from, help }
}
