// Runs what takes hours or depends on the day, one after another, and names everything that failed: `npm run verify:long`, or
// `npm run verify:long -- mutate simulate` for some of it.
import { spawnSync } from "node:child_process"
import { root } from "./programs.mjs"
import { build, env } from "./turbo.mjs"

const seed = String(Math.floor(Math.random() * 1_000_000))

const checks = {
  simulate: ["simulate", "--minutes", "20", "--seed", seed],
  fuzz: ["fuzz", "--minutes", "10"],
  check: ["--filter", "@signalbox/compatibility", "run", "clients", "@signalbox/sdk", "20000"],
  crashes: ["--filter", "@signalbox/bulk", "proof"],
  "crashes-cluster": ["--filter", "@signalbox/bulk", "proof:cluster"],
  protections: ["--filter", "@signalbox/repository", "run", "protections"],
  mutate: ["mutate"],
  peers: ["--filter", "@signalbox/release", "run", "peers"],
  oldest: ["--filter", "@signalbox/release", "run", "peers", "oldest"],
  bench: ["bench", "--check"]
}

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !Object.hasOwn(checks, name))
if (unknown.length > 0) {
  console.error(`Signalbox: unknown check ${unknown.join(", ")}; expected some of: ${Object.keys(checks).join(", ")}`)
  process.exit(2)
}

build()
const failed = (chosen.length > 0 ? chosen : Object.keys(checks)).filter((name) => {
  console.log(`\n== ${name}: pnpm ${checks[name].join(" ")}`)
  const onWindows = process.platform === "win32"
  return spawnSync("pnpm", checks[name], { cwd: root, env, stdio: "inherit", shell: onWindows }).status !== 0
})
if (failed.length > 0) {
  console.error(`Signalbox: failed: ${failed.join(", ")}`)
  process.exit(1)
}
