import "effect/schema/SchemaJITCompiler/enable"
import { setFlagsFromString } from "node:v8"
import { launch } from "./Launch.ts"
import { systemClock } from "../runtime/Clock.ts"

declare const __SIGNALBOX_VERSION__: string

// Thousands of frames leave short-lived strings behind. These two keep the heap near its live size, at the same speed:
// 125 MB where it would be 245 MB. Limits of the heap cannot be set any more once the process runs; its growth can:
// from here on, since a young generation that has not grown to hold a frame passes everything on to the old one.
setFlagsFromString("--semi-space-growth-factor=1")
setFlagsFromString("--heap-growing-percent=20")

/** Runs the program of this process and ends it. */
export const run = async (): Promise<void> => {
  // `signalbox-tui | head` closes the pipe when it has seen enough: that is not a failure.
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
