// Installs what a command needs: `install.mjs start` the terminal UI, `install.mjs apps` the command line, `install.mjs test`
// the in-process tests, `install.mjs` everything. Runs on the machine's own Node (18 or later), before anything is installed:
// plain JavaScript, no dependencies.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
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

// With the packages of the part: `start` has one more where the machine's Node is older than at the last installation.
const fingerprint = (what) => {
  const hash = createHash("sha256").update(parts[what].join())
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json"]) {
    hash.update(readFileSync(join(root, file)))
  }
  return hash.digest("hex")
}

const isInstalled = (what) => existsSync(stampOf(what)) && readFileSync(stampOf(what), "utf8") === fingerprint(what)

const fail = (problem) => {
  console.error(`Signalbox: ${problem}. Nothing was started.`)
  process.exit(1)
}

const { packageManager } = manifest
const [, pnpmVersion] = packageManager.split("@")
const pnpmFolder = join(root, "node_modules", ".signalbox-pnpm")

/** The package with the executable of pnpm for this machine. */
const executableName = () => {
  const isMusl = process.platform === "linux" && process.report.getReport().header.glibcVersionRuntime === undefined
  return `@pnpm/exe.${process.platform}-${process.arch}${isMusl ? "-musl" : ""}`
}

/**
 * The lock file of npm with the hashes of pnpm's own lock file: nothing that npm downloads runs before it was compared.
 * `undefined` where that file has no executable for this machine.
 */
const npmLock = () => {
  const lock = readFileSync(join(root, "pnpm-lock.yaml"), "utf8")
  const entryOf = (name) => {
    const key = `${name}@${pnpmVersion}`.replace(/[/.]/g, "\\$&")
    const [, integrity] = new RegExp(`^  '?${key}'?:\\n    resolution: {integrity: ([^\\s,}]+)`, "m").exec(lock) ?? []
    return integrity && { version: pnpmVersion, integrity }
  }
  const executable = executableName()
  const [pnpm, exe] = [entryOf("pnpm"), entryOf(executable)]
  if (!pnpm || !exe) return undefined
  return {
    lockfileVersion: 3,
    packages: {
      "": { dependencies: { pnpm: pnpmVersion } },
      "node_modules/pnpm": { ...pnpm, optionalDependencies: { [executable]: pnpmVersion } },
      [`node_modules/${executable}`]: { ...exe, optional: true }
    }
  }
}

const run = (program, words, options) =>
  spawnSync(program, words, { cwd: root, shell: process.platform === "win32", ...options })

// Downloads the package manager for this installation without npm's retries: offline, those take a minute and end in 25
// lines. Returns the words that run it.
const getPackageManager = () => {
  const locked = npmLock()
  const options = { encoding: "utf8", env: { ...process.env, npm_config_fetch_retries: "0" } }
  const check = ({ error, status, stderr }) => {
    if (error) fail(`could not run npm: ${error.message}`)
    if (status === 0) return
    const [, code = `exit code ${status}`] = /^npm (?:ERR!|error) code (\S+)$/mu.exec(stderr) ?? []
    if (code === "EINTEGRITY") fail(`${packageManager} is not what pnpm-lock.yaml has the hash of (${code})`)
    fail(`cannot download ${packageManager}: no connection to the npm registry (${code})`)
  }
  if (locked === undefined) {
    check(run("npx", ["--yes", packageManager, "--version"], options))
    return ["npx", "--yes", packageManager]
  }
  mkdirSync(pnpmFolder, { recursive: true })
  writeFileSync(join(pnpmFolder, "package.json"), JSON.stringify(locked.packages[""]))
  writeFileSync(join(pnpmFolder, "package-lock.json"), JSON.stringify(locked))
  check(run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { ...options, cwd: pnpmFolder }))
  return ["node", join(pnpmFolder, "node_modules", "pnpm", "bin", "pnpm.mjs")]
}

// A full installation includes every part.
if (!isInstalled("all") && !isInstalled(part)) {
  console.error("Signalbox: installing dependencies (first run, or the lockfile changed)")
  const [program, ...words] = getPackageManager()
  // pnpm asks the registry for the date of every version in the lock file, which takes a minute with an empty cache. The
  // complete installation does that, in CI; the hashes of the lock file hold for every part.
  const trust = part === "all" ? [] : ["--trust-lockfile"]
  const { status } = run(program, [...words, "install", "--frozen-lockfile", ...trust, ...parts[part]], {
    // Progress goes to stderr: stdout belongs to what the app prints.
    stdio: ["ignore", process.stderr, process.stderr]
  })
  if (status !== 0) fail("the installation failed for the reason above")
  rmSync(pnpmFolder, { recursive: true, force: true })
  mkdirSync(dirname(pnpmFolder), { recursive: true })
  writeFileSync(stampOf(part), fingerprint(part))
}
