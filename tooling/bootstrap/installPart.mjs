// Installs what a command needs: `install.mjs start` the terminal UI, `install.mjs apps` the command line, `install.mjs test`
// the in-process tests, `install.mjs` everything. Runs on the machine's own Node (18 or later), before anything is installed:
// plain JavaScript, no dependencies.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { isNewEnough } from "../node/nodeForApps.mjs"
import { root } from "./programs.mjs"
import { testedInProcess } from "./testedInProcess.mjs"

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

const startOnOldNode = isNewEnough ? [] : ["--filter=@signalbox/node"]

// The packages that each part installs. `start`: the packages in the bundle of the terminal UI and no development tool.
// `apps`: the command line with the packages that it bundles; those need neither other runtimes nor a database nor a
// library build.
const parts = {
  start: ["--prod", "--filter=@signalbox/start", ...startOnOldNode, "--filter=!signalbox"],
  apps: [
    "--filter=signalbox",
    "--filter=@signalbox/cli...",
    "--filter=!@signalbox/runtimes",
    "--filter=!@signalbox/node-build"
  ],
  test: [
    "--filter=signalbox",
    ...testedInProcess.map((name) => `--filter=${name}...`),
    "--filter=!@signalbox/runtimes"
  ],
  all: []
}

const part = process.argv[2] ?? "all"
const stampOf = (what) => join(root, "node_modules", `.signalbox-install-${what}`)

const fingerprint = () => {
  const hash = createHash("sha256")
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json"]) {
    hash.update(readFileSync(join(root, file)))
  }
  return hash.digest("hex")
}

const wanted = fingerprint()
const isInstalled = (what) => existsSync(stampOf(what)) && readFileSync(stampOf(what), "utf8") === wanted

const fail = (problem) => {
  console.error(`Signalbox: ${problem}. Nothing was started.`)
  process.exit(1)
}

const packageManager = (words, options) =>
  spawnSync("npx", ["--yes", manifest.packageManager, ...words], {
    cwd: root,
    shell: process.platform === "win32",
    ...options
  })

// Downloads the package manager once, without npm's retries: offline, those take a minute and end in 25 lines.
const getPackageManager = () => {
  const { error, status, stderr } = packageManager(["--version"], {
    encoding: "utf8",
    env: { ...process.env, npm_config_fetch_retries: "0" }
  })
  if (error) fail(`could not run npx: ${error.message}`)
  if (status === 0) return
  const [, code = `exit code ${status}`] = /^npm (?:ERR!|error) code (\S+)$/mu.exec(stderr) ?? []
  fail(`cannot download ${manifest.packageManager}: no connection to the npm registry (${code})`)
}

// A full installation includes every part.
if (!isInstalled("all") && !isInstalled(part)) {
  console.error("Signalbox: installing dependencies (first run, or the lockfile changed)")
  getPackageManager()
  const { status } = packageManager(["install", "--frozen-lockfile", ...parts[part]], {
    // Progress goes to stderr: stdout belongs to what the app prints.
    stdio: ["ignore", process.stderr, process.stderr]
  })
  if (status !== 0) fail("the installation failed for the reason above")
  const stamp = stampOf(part)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
}
