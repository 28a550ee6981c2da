import "effect/schema/SchemaJITCompiler/enable"
import { launch } from "./Launch.ts"
import { systemClock } from "../runtime/Clock.ts"

declare const __SIGNALBOX_VERSION__: string

/** Runs the program of this process and ends it. */
export const run = async (): Promise<void> => {
  // A pipe that closes early, as in `signalbox-tui --help | head -1`, is not a failure.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error
    process.exit(0)
  })
  // Without a listener, Node opens a debugger when it receives this signal, and a debugger can read the API key.
  process.on("SIGUSR1", () => {})
  const code = await launch({
    args: process.argv.slice(2),
    environment: process.env,
    version: __SIGNALBOX_VERSION__,
    clock: systemClock
  })
  // Timers and sockets of what was interrupted must not keep the process; stdout of a pipe is flushed by then or by this.
  process.exitCode = code
  if (process.stdout.isTTY) process.exit(code)
}
