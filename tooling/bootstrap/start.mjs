// Builds what is out of date and opens the terminal UI. Runs on the machine's own Node; the UI runs on the installed one.
import { spawnSync } from "node:child_process"
import { constants } from "node:os"
import { join } from "node:path"
import { environment, installed, onWindows, root, runTurbo } from "./turbo.mjs"

const build = runTurbo(
  ["build", "--filter=@signalbox/tui", "--output-logs=errors-only", "--log-prefix=none"],
  ["ignore", "pipe", "pipe"]
)
if (build.status !== 0) {
  console.error(`${build.stdout ?? ""}${build.stderr ?? ""}${build.error?.message ?? ""}`)
  console.error("Signalbox: the build failed; the lines above say why.")
  process.exit(1)
}

// Ctrl-C and friends are for the UI, which shares this terminal: it decides, and this process passes its exit code on.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) process.on(signal, () => {})

const main = join(root, "apps", "tui", "dist", "main.js")
const ui = spawnSync(installed("node"), [main, ...process.argv.slice(2)], {
  env: environment,
  stdio: "inherit",
  shell: onWindows
})
process.exit(ui.status ?? 128 + (constants.signals[ui.signal] ?? 0))
