import { parseOptions, UsageError, wholeNumber } from "@signalbox/repository/CommandLine"
import { readToken, type Reproduction } from "./ReproductionToken.ts"

/** The options of the command line. */
export interface Arguments {
  /** Names of families. */
  readonly families: ReadonlyArray<string>
  readonly runs: number
  readonly seed: number
  /** How long to run, with one seed after another; `undefined` for `runs` scenarios of one seed. */
  readonly minutes: number | undefined
  /** The one scenario to run again. */
  readonly reproduction: Reproduction | undefined
  readonly help: boolean
}

/** Scenarios of each family in one run of the command. */
export const standardRuns = 2_000

/** The seed that `npm run verify` uses. */
export const standardSeed = 1

/** The text of `--help`. */
export const usage = (families: ReadonlyArray<string>): string =>
  [
    "pnpm simulate [family...] [--runs N] [--seed S] [--minutes N] [--reproduce TOKEN]",
    "",
    `  family             ${families.join(", ")}; default: all`,
    `  --runs N           scenarios per family and seed (default ${standardRuns})`,
    `  --seed S           seed of the scenarios (default ${standardSeed})`,
    "  --minutes N        keep running with the next seed until N minutes have passed",
    "  --reproduce TOKEN  run the one scenario that an earlier failure printed"
  ].join("\n")

const options = {
  runs: { type: "string", default: String(standardRuns) },
  seed: { type: "string", default: String(standardSeed) },
  minutes: { type: "string" },
  reproduce: { type: "string" },
  help: { type: "boolean", default: false }
} as const

const reproductionOf = (token: string, known: ReadonlyArray<string>): Reproduction => {
  const reproduction = readToken(token)
  if (reproduction !== undefined && known.includes(reproduction.family)) return reproduction
  throw new UsageError("--reproduce needs a token exactly as an earlier failure printed it")
}

/** Reads the command line; throws a `UsageError`. */
export const parseArguments = (words: ReadonlyArray<string>, known: ReadonlyArray<string>): Arguments => {
  const { positionals, values } = parseOptions(words, { options, allowPositionals: true })
  const unknown = positionals.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new UsageError(`unknown family "${unknown}"; expected one of: ${known.join(", ")}`)
  }
  const reproduction = values.reproduce === undefined ? undefined : reproductionOf(values.reproduce, known)
  const families = positionals.length === 0 ? known : known.filter((name) => positionals.includes(name))
  return {
    families: reproduction === undefined ? families : [reproduction.family],
    runs: wholeNumber("--runs", values.runs, 1),
    seed: wholeNumber("--seed", values.seed, 0),
    minutes: values.minutes === undefined ? undefined : wholeNumber("--minutes", values.minutes, 1),
    reproduction,
    help: values.help
  }
}
