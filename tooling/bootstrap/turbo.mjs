// Runs turbo from the installed packages on the installed Node, without its telemetry.
import { spawnSync } from "node:child_process"
import { constants } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..")

const onWindows = process.platform === "win32"
const bin = join(root, "node_modules", ".bin")
const installed = (name) => join(bin, onWindows ? `${name}.cmd` : name)
/** The environment with the installed commands, and without turbo's telemetry. */
export const env = {
  ...process.env,
  PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`,
  TURBO_TELEMETRY_DISABLED: "1"
}

const run = (name, args, options) => spawnSync(installed(name), args, { env, shell: onWindows, ...options })

const runTurbo = (args, options) => run("turbo", ["run", ...args, "--no-update-notifier"], { cwd: root, ...options })

/** Builds what is out of date without a word; says why and ends the process when it cannot. */
export const build = (...filters) => {
  const { error, status, stderr, stdout } = runTurbo(
    ["build", ...filters, "--output-logs=errors-only", "--log-prefix=none"],
    { stdio: ["ignore", "pipe", "pipe"], encoding: "utf8" }
  )
  if (status === 0) return
  console.error(`${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}`)
  console.error("Signalbox: the build failed; the lines above say why.")
  process.exit(1)
}

/** Runs a program on the installed Node in this terminal, and ends this process as it ended. */
export const become = (program, args) => {
  // Ctrl-C and friends are for the program, which shares this terminal: it decides, and its exit code is passed on.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) process.on(signal, () => {})
  const { signal, status } = run("node", [join(root, program), ...args], { stdio: "inherit" })
  process.exit(status ?? 128 + (constants.signals[signal] ?? 0))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { error, status } = runTurbo(process.argv.slice(2), { stdio: "inherit" })
  if (error) console.error(`Signalbox: could not run turbo: ${error.message}`)
  process.exit(status ?? 1)
}
