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

// Tests start hundreds of programs from TypeScript; reading it again takes longer than most of them. Benchmarks have no cache.
const compiled = { NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "node") }

const inRepository = { cwd: root, env: { ...env, ...compiled }, shell: onWindows }
const turboArguments = (tasks) => ["run", ...tasks, "--no-update-notifier"]

/** Builds what is out of date without a word; says why and ends the process when it cannot. */
export const build = (...filters) => {
  const { error, status, stderr, stdout } = spawnSync(
    installed("turbo"),
    turboArguments(["build", ...filters, "--output-logs=errors-only", "--log-prefix=none"]),
    { ...inRepository, stdio: ["ignore", "pipe", "pipe"], encoding: "utf8" }
  )
  if (status === 0) return
  console.error(`${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}`)
  console.error("Signalbox: the build failed; the lines above say why.")
  process.exit(1)
}

/** Runs a program of the workspace on the installed Node in this terminal, then exits with its exit code. */
export const become = (program, args) =>
  becomeCommand(installed("node"), [join(root, program), ...args], { env, shell: onWindows })

/** Runs tasks of turbo in this terminal, then exits with their exit code. */
export const becomeTurbo = (...tasks) => becomeCommand(installed("turbo"), turboArguments(tasks), inRepository)

if (process.argv[1] === fileURLToPath(import.meta.url)) becomeTurbo(...process.argv.slice(2))
