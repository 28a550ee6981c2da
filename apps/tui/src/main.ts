import "effect/schema/SchemaJITCompiler/enable"
import { setFlagsFromString } from "node:v8"
import { launch } from "./launch/Launch.ts"

declare const __SIGNALBOX_VERSION__: string

// Thousands of frames fill the young generation with short-lived strings; a small one keeps the process at half the memory.
setFlagsFromString("--max-semi-space-size=4")

const code = await launch({
  args: process.argv.slice(2),
  environment: process.env,
  version: __SIGNALBOX_VERSION__,
  now: Date.now
})
// Timers and sockets of what was interrupted must not keep the process; stdout of a pipe is flushed by then or by this.
process.exitCode = code
if (process.stdout.isTTY) process.exit(code)
