// Replaces this process with another program.
import { spawnSync } from "node:child_process"
import { constants } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..")

/** Runs a command in this terminal, then exits with its exit code. */
export const become = (command, args, options) => {
  // Ctrl-C and other signals reach the program through the terminal that it shares; its exit code is passed on.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) process.on(signal, () => {})
  const { error, signal, status } = spawnSync(command, args, { ...options, stdio: "inherit" })
  if (error) console.error(`Signalbox: could not run ${command}: ${error.message}`)
  process.exit(status ?? 128 + (constants.signals[signal] ?? 0))
}
