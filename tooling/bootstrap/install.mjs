// Installs what a command needs: `install.mjs apps` the apps, `install.mjs` everything. Runs on the machine's own Node (18 or
// newer), before anything is installed: plain JavaScript, no dependencies.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..")
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

// The workspace root, and the command line with the packages that it bundles, the terminal UI among them. Those need neither
// other runtimes nor a database nor a library build: the bundler reads their sources.
const onlyApps = [
  "signalbox",
  "@signalbox/cli...",
  "!@signalbox/runtimes",
  "!@signalbox/node-build",
  "!@signalbox/postgres"
]

const forApps = process.argv[2] === "apps"
const stampOf = (what) => join(root, "node_modules", `.signalbox-install-${what}`)

const fingerprint = () => {
  const hash = createHash("sha256")
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json"]) {
    hash.update(readFileSync(join(root, file)))
  }
  return hash.digest("hex")
}

const [major] = process.versions.node.split(".")
if (Number(major) < 18) {
  console.error(`Signalbox needs Node 18 or newer to install its dependencies; this is Node ${process.versions.node}.`)
  process.exit(2)
}

const wanted = fingerprint()
const isInstalled = (what) => existsSync(stampOf(what)) && readFileSync(stampOf(what), "utf8") === wanted

// A full installation includes what the apps need.
if (!isInstalled("all") && !(forApps && isInstalled("apps"))) {
  console.error("Signalbox: installing dependencies (first run, or the lockfile changed)")
  const filters = forApps ? onlyApps.flatMap((filter) => ["--filter", filter]) : []
  const { status, error } = spawnSync(
    "npx",
    ["--yes", manifest.packageManager, "install", "--frozen-lockfile", ...filters],
    {
      cwd: root,
      // Progress goes to stderr: stdout belongs to what the app prints.
      stdio: ["ignore", process.stderr, process.stderr],
      shell: process.platform === "win32"
    }
  )
  if (error) console.error(`Signalbox: could not run npx: ${error.message}`)
  if (status !== 0) {
    console.error("Signalbox: the installation failed for the reason above. Nothing was started.")
    process.exit(1)
  }
  const stamp = stampOf(forApps ? "apps" : "all")
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
}
