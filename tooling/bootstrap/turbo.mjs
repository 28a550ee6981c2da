// Runs turbo from the installed packages on the installed Node, without its telemetry.
import { spawnSync } from "node:child_process"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..")
export const onWindows = process.platform === "win32"
export const installed = (name) => join(root, "node_modules", ".bin", onWindows ? `${name}.cmd` : name)
export const environment = {
  ...process.env,
  PATH: `${join(root, "node_modules", ".bin")}${delimiter}${process.env.PATH ?? ""}`,
  TURBO_TELEMETRY_DISABLED: "1"
}

/** Runs `turbo run` with the given arguments; `stdio` as for `spawnSync`. */
export const runTurbo = (args, stdio) =>
  spawnSync(installed("turbo"), ["run", ...args, "--no-update-notifier"], {
    cwd: root,
    env: environment,
    stdio,
    encoding: "utf8",
    shell: onWindows
  })

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { status, error } = runTurbo(process.argv.slice(2), "inherit")
  if (error) console.error(`Signalbox: could not run turbo: ${error.message}`)
  process.exit(status ?? 1)
}
