/** What the command line asks for. */
export interface Arguments {
  readonly runs: number
  readonly seed: number
  /** Token of a failure that is to be run again. */
  readonly repeat: string | undefined
  readonly help: boolean
}

/** A command line that cannot be understood; the message is one line and names the allowed values. */
export class ArgumentError extends Error {
  override readonly name = "ArgumentError"
}

/** Scenarios of each kind that are run unless told otherwise, and in CI. */
export const standardRuns = 2_000

/** The seed of CI. */
export const standardSeed = 1

/** The text of `--help`. */
export const usage = [
  "pnpm simulate [--runs N] [--seed S] [--repeat TOKEN]",
  "",
  `  --runs N        how many scenarios of each kind; ${standardRuns} without it`,
  `  --seed S        where they come from; ${standardSeed} without it`,
  "  --repeat TOKEN  runs the one scenario again that an earlier run has found"
].join("\n")

const flags = ["--runs", "--seed", "--repeat"] as const

const wholeNumber = (flag: string, text: string, smallest: number): number => {
  const value = Number(text)
  if (/^\d+$/u.test(text) && Number.isSafeInteger(value) && value >= smallest) return value
  throw new ArgumentError(`${flag} must be a whole number from ${smallest}, not "${text}"`)
}

/** Reads the command line, or fails with one line that says what is allowed. */
export const parseArguments = (words: ReadonlyArray<string>): Arguments => {
  const given = new Map<string, string>()
  let help = false
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ""
    if (word === "--help") {
      help = true
      continue
    }
    const [flag = "", inline] = word.split("=", 2)
    if (!flags.some((known) => known === flag)) {
      throw new ArgumentError(`unknown argument "${word}"; allowed: --runs N, --seed S, --repeat TOKEN, --help`)
    }
    const value = inline ?? words[++index]
    if (value === undefined || value === "") throw new ArgumentError(`${flag} needs a value`)
    given.set(flag, value)
  }
  return {
    runs: wholeNumber("--runs", given.get("--runs") ?? String(standardRuns), 1),
    seed: wholeNumber("--seed", given.get("--seed") ?? String(standardSeed), 0),
    repeat: given.get("--repeat"),
    help
  }
}
