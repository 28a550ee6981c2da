import { parseOptions, UsageError } from "@signalbox/repository/CommandLine"

/** The options of the command line. */
export interface Arguments {
  readonly suites: ReadonlyArray<string>
  readonly json: string | undefined
  readonly check: boolean
  readonly docs: boolean
  /** A JSON file of an earlier run to use instead of measuring. */
  readonly from: string | undefined
  readonly help: boolean
}

/** The text of `--help`. */
export const usage = (suites: ReadonlyArray<string>): string =>
  [
    "pnpm bench [suite...] [--json FILE] [--check] [--docs] [--from FILE]",
    "",
    `  suite        ${suites.join(", ")}; default: all`,
    "  --json FILE  write the figures to FILE",
    "  --check      print the rows that break tooling/bench/src/Budgets.ts and exit with 1",
    "  --docs       keep the figures in tooling/bench/measured.json and write docs/measurements.md from them",
    "  --from FILE  use the figures of an earlier --json instead of measuring"
  ].join("\n")

const options = {
  json: { type: "string" },
  check: { type: "boolean", default: false },
  docs: { type: "boolean", default: false },
  from: { type: "string" },
  help: { type: "boolean", default: false }
} as const

/** Reads the command line; throws a `UsageError`. */
export const parseArguments = (words: ReadonlyArray<string>, known: ReadonlyArray<string>): Arguments => {
  const { positionals, values } = parseOptions(words, { options, allowPositionals: true })
  const { check, docs, from, help, json } = values
  for (const [name, file] of [
    ["--json", json],
    ["--from", from]
  ] as const) {
    if (file === "") throw new UsageError(`${name} needs a file name: ${name} FILE`)
  }
  const unknown = positionals.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new UsageError(`unknown suite "${unknown}"; expected one of: ${known.join(", ")}`)
  const suites = [...new Set(positionals)]
  return { suites: suites.length === 0 ? known : suites, json, check, docs, from, help }
}
