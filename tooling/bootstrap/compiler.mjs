// `effect-tsgo patch` runs as an install script; where scripts are switched off, Effect's diagnostics would be missing silently.
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..")
const catalog = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8")
const version = (name) => new RegExp(`^  "?${name}"?: (\\S+)$`, "m").exec(catalog)?.[1]
const expected = `Version ${version("typescript")}+effect-tsgo.${version("@effect/tsgo")}`
const actual = spawnSync("tsc", ["-v"], { encoding: "utf8", shell: process.platform === "win32" }).stdout.trim()

if (actual !== expected) {
  console.error(`The compiler is "${actual}", expected "${expected}". Run: pnpm exec effect-tsgo patch`)
  process.exit(1)
}
console.log(actual)
