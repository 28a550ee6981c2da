/**
 * Command lines of the tools: `node:util` parses, and bad input gets one line that names what is allowed.
 */
import { parseArgs, type ParseArgsConfig } from "node:util"

/** A command line with bad input; the message is one line. */
export class UsageError extends Error {
  override readonly name = "UsageError"
}

const optionNames = ({ options = {} }: ParseArgsConfig): string =>
  Object.keys(options)
    .map((name) => `--${name}`)
    .join(", ")

/** Parses a command line; throws a {@link UsageError}. */
export const parseOptions = <const Config extends Omit<ParseArgsConfig, "args" | "strict">>(
  words: ReadonlyArray<string>,
  config: Config
) => {
  try {
    return parseArgs({ ...config, args: [...words], strict: true as const })
  } catch (error) {
    if (!(error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS"))) throw error
    // The rest of Node's message explains how to write arguments that start with a hyphen.
    const [problem] = error.message.split(/\.\s/u, 1)
    throw new UsageError(`${problem}; options: ${optionNames(config)}`, { cause: error })
  }
}

/** Reads the value of an option as a whole number; throws a {@link UsageError}. */
export const wholeNumber = (option: string, value: string, minimum: number): number => {
  const number = Number(value)
  if (/^\d+$/u.test(value) && Number.isSafeInteger(number) && number >= minimum) return number
  throw new UsageError(`${option} must be a whole number of at least ${minimum}, not "${value}"`)
}

/** Runs a tool and sets the exit code: the result of `main`, or 2 with one line on stderr for bad input. */
export const runTool = async (main: () => Promise<number> | number): Promise<void> => {
  try {
    process.exitCode = await main()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(error.message)
    process.exitCode = 2
  }
}
