// Runs turbo from the installed packages on the installed Node, without its telemetry.
import { spawnSync } from "node:child_process"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { become as becomeCommand, root } from "./programs.mjs"

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

/** Runs a program of the workspace on the installed Node in this terminal, then exits with its exit code. */
export const become = (program, args) =>
  becomeCommand(installed("node"), [join(root, program), ...args], { env, shell: onWindows })

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { error, status } = runTurbo(process.argv.slice(2), { stdio: "inherit" })
  if (error) console.error(`Signalbox: could not run turbo: ${error.message}`)
  process.exit(status ?? 1)
}
