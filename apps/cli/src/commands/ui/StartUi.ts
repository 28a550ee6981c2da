import { readUiOptions, runProgram } from "@signalbox/tui"
import { runFile } from "./RunFile.ts"

/**
 * Opens the terminal UI without the parser of the command line, which takes a fifth of the time to the first frame, and
 * ends the process. Returns `false` for words that only the parser can explain.
 */
export const startUi = async (words: ReadonlyArray<string>): Promise<boolean> => {
  const options = readUiOptions(words)
  if (options === undefined || (options.connection !== undefined && options.replay !== undefined)) return false
  await runProgram({ _tag: "Run", options }, runFile)
  return true
}
