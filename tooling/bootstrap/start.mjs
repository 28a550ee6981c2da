// Opens the terminal UI, bundled anew when a source has changed. Runs on the machine's own Node (18 or newer).
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { nodeForApps } from "../node/nodeForApps.mjs"
import { become, root } from "./programs.mjs"

const start = join(root, "tooling", "start")
const inputs = join(start, "dist", "inputs.json")

const isCurrent = () =>
  existsSync(inputs) &&
  Object.entries(JSON.parse(readFileSync(inputs, "utf8"))).every(
    ([path, modified]) => statSync(path, { throwIfNoEntry: false })?.mtimeMs === modified
  )

const node = nodeForApps()
if (!isCurrent()) {
  const { status } = spawnSync(node, [join(start, "build.mjs")], { stdio: ["ignore", process.stderr, process.stderr] })
  if (status !== 0) {
    console.error("Signalbox: the build failed; the lines above say why.")
    process.exit(1)
  }
}
become(node, [join(start, "dist", "main.js"), ...process.argv.slice(2)])
