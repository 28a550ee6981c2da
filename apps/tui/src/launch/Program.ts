import { builtVersion } from "@signalbox/node-build/BuiltVersion"
import { outlet } from "@signalbox/operator/outlet/Outlet"
import { launch, refuse } from "./Launch.ts"
import { readStartOptions, type Start } from "./StartOptions.ts"
import { systemClock } from "../runtime/Clock.ts"
import type { FileRunner } from "../runtime/FileRunner.ts"

const carryOut = async (start: Start, runFile: FileRunner | undefined): Promise<number> => {
  switch (start._tag) {
    case "Print":
      process.stdout.write(outlet("own").text(start.text))
      return 0
    case "Refused":
      return refuse(start.message)
    case "Run":
      return launch(start.options, { environment: process.env, clock: systemClock, runFile })
  }
}

/** Does what the start asks for, and ends the process. */
export const runProgram = async (start: Start, runFile?: FileRunner): Promise<void> => {
  // A pipe that closes early, as in `npm start -- --help | head -1`, is not a failure.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error
    process.exit(0)
  })
  // Without a listener, Node opens a debugger when it receives this signal, and a debugger can read the API key.
  process.on("SIGUSR1", () => {})
  const code = await carryOut(start, runFile)
  // Timers and sockets of what was interrupted must not keep the process; stdout of a pipe is flushed by then or by this.
  process.exitCode = code
  if (process.stdout.isTTY) process.exit(code)
}

/** Runs the program of this process. */
export const run = (): Promise<void> => runProgram(readStartOptions(process.argv.slice(2), builtVersion))
