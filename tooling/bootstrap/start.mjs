// Builds what is out of date and opens the terminal UI. Runs on the machine's own Node; the UI runs on the installed one.
import { spawnSync } from "node:child_process"
import { constants } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..")
const bin = join(root, "node_modules", ".bin")
const windows = process.platform === "win32"
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`, TURBO_TELEMETRY_DISABLED: "1" }

const build = spawnSync(
  join(bin, windows ? "turbo.cmd" : "turbo"),
  ["run", "build", "--filter=@signalbox/tui", "--output-logs=errors-only", "--log-prefix=none", "--no-update-notifier"],
  { cwd: root, env, stdio: ["ignore", "pipe", "pipe"], encoding: "utf8", shell: windows }
)
if (build.status !== 0) {
  console.error(`${build.stdout ?? ""}${build.stderr ?? ""}${build.error?.message ?? ""}`)
  console.error("Signalbox: the build failed; the lines above say why.")
  process.exit(1)
}

const main = join(root, "apps", "tui", "dist", "main.js")
const ui = spawnSync(join(bin, windows ? "node.cmd" : "node"), [main, ...process.argv.slice(2)], {
  env,
  stdio: "inherit",
  shell: windows
})
process.exit(ui.status ?? 128 + (constants.signals[ui.signal] ?? 0))
