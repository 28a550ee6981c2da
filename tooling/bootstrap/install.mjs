// Runs on the machine's own Node (18 or newer), before anything is installed: plain JavaScript, no dependencies.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..")
const stamp = join(root, "node_modules", ".signalbox-install")
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

const fingerprint = () => {
  const hash = createHash("sha256")
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json"]) {
    hash.update(readFileSync(join(root, file)))
  }
  return hash.digest("hex")
}

const isInstalled = (wanted) => existsSync(stamp) && readFileSync(stamp, "utf8") === wanted

const [major] = process.versions.node.split(".")
if (Number(major) < 18) {
  console.error(`Signalbox needs Node 18 or newer to set itself up; this is Node ${process.versions.node}.`)
  process.exit(2)
}

const wanted = fingerprint()
if (!isInstalled(wanted)) {
  console.error("Signalbox: installing dependencies (first run, or the lock file changed)")
  const { status, error } = spawnSync("npx", ["--yes", manifest.packageManager, "install", "--frozen-lockfile"], {
    cwd: root,
    // Set-up narration must not mix with what `npm start` prints on stdout.
    stdio: ["ignore", process.stderr, process.stderr],
    shell: process.platform === "win32"
  })
  if (error) console.error(`Signalbox: could not run npx: ${error.message}`)
  if (status !== 0) {
    console.error("Signalbox: the installation failed; the lines above say why. Nothing was started.")
    process.exit(1)
  }
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
}
