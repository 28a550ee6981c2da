/**
 * Installs the packed SDK into an empty folder with the newest peers that the registry offers within the supported ranges,
 * and runs its type check and the checks of abort, close and delivery: `pnpm peers`. `node src/peers.ts oldest` tries the
 * oldest versions of the ranges, and `node src/peers.ts undici@7` another version. A failure names the package and its version.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { generate } from "selfsigned"
import { script, source } from "./ConsumerPrograms.ts"
import { repository } from "./Repository.ts"
import { pack } from "./Tarball.ts"

interface Manifest {
  readonly version: string
  readonly engines: { readonly node: string }
  readonly peerDependencies: Readonly<Record<string, string>>
}

const manifestOf = (path: string): Manifest => JSON.parse(readFileSync(join(path, "package.json"), "utf8"))

/** The supported range of each peer; the oldest TypeScript is the oldest one of the catalog. */
const ranges = (): Record<string, string> => {
  const { engines, peerDependencies } = manifestOf(join(repository, "packages/sdk"))
  const core = manifestOf(join(repository, "packages/core"))
  return {
    undici: peerDependencies["undici"] ?? "*",
    effect: core.peerDependencies["effect"] ?? "*",
    typescript: ">=5.4",
    node: engines.node
  }
}

/** The oldest version in a range, such as 20.0.0 in `>=20`. */
const oldestIn = (range: string): string => {
  const [major = "0", minor = "0", patch = "0"] = /\d+(?:\.\d+)*/.exec(range)?.[0].split(".") ?? []
  return `${major}.${minor}.${patch}`
}

const hangAfterMs = 120_000

const folder = mkdtempSync(join(tmpdir(), "signalbox-peers-"))

/** Runs a program in the folder; throws an error with its output. */
const run = (program: string, words: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): string =>
  execFileSync(program, [...words], {
    cwd: folder,
    env: { ...process.env, ...env },
    encoding: "utf8",
    stdio: "pipe",
    timeout: hangAfterMs,
    killSignal: "SIGKILL"
  })

/** The output of a program before it failed or hung. */
const outputOf = (error: unknown): string =>
  ["stdout", "stderr"].map((stream) => String(Reflect.get(Object(error), stream) ?? "")).join("")

const strict = {
  module: "nodenext",
  target: "es2022",
  strict: true,
  skipLibCheck: false,
  noEmit: true,
  types: ["node"]
}

/** Installs, and returns the versions that were installed. */
const install = (wanted: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const packed = (["core", "sdk"] as const).map((one) => pack(one, folder).file)
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }))
  const peers = Object.entries(wanted).map(([name, range]) => `${name}@${range}`)
  run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...packed, ...peers, "@types/node"])
  return Object.fromEntries(
    Object.keys(wanted).map((name) => [name, manifestOf(join(folder, "node_modules", name)).version])
  )
}

/** Checks the types; returns what failed. */
const typeCheck = (): string | undefined => {
  writeFileSync(join(folder, "Peers.ts"), source("Peers"))
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: strict, files: ["Peers.ts"] }))
  try {
    run("node", ["node_modules/typescript/bin/tsc", "-p", "."])
    return undefined
  } catch (error) {
    return `types: ${outputOf(error)}`
  }
}

/** Runs the checks on the Node that was installed; returns the one that failed or hung, and why. */
const behaviour = async (): Promise<string | undefined> => {
  const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], {
    keyType: "ec",
    algorithm: "sha256"
  })
  writeFileSync(join(folder, "peers.mjs"), await script("Peers"))
  try {
    run(join(folder, "node_modules", "node", "bin", "node"), ["peers.mjs"], { CERT: cert, KEY: key })
    return undefined
  } catch (error) {
    const lines = String(Reflect.get(Object(error), "stdout") ?? "").trimEnd()
    const last = lines.split("\n").at(-1) ?? "start"
    const isHung = Reflect.get(Object(error), "signal") === "SIGKILL"
    return `${last}: ${isHung ? `not finished after ${hangAfterMs / 1000} s` : outputOf(error).slice(lines.length).trim()}`
  }
}

const report = (installed: Readonly<Record<string, string>>, failure: string, otherwise: string): void => {
  const about = failure.split(":")[0] ?? ""
  const name = about in installed ? about : otherwise
  console.error(`Signalbox: ${name} ${installed[name]} fails: ${failure}`)
  process.exitCode = 1
}

try {
  const words = process.argv.slice(2)
  const wanted = ranges()
  if (words[0] === "oldest") {
    words.shift()
    // The declarations of Effect need a newer TypeScript than ours, which other tests check with the oldest one.
    for (const name of ["undici", "effect", "node"]) wanted[name] = oldestIn(wanted[name] ?? "")
  }
  for (const word of words) {
    const [name = "", version = "latest"] = word.split("@")
    if (!(name in wanted)) throw new Error(`unknown peer ${name}; expected one of: ${Object.keys(wanted).join(", ")}`)
    wanted[name] = version
  }
  const installed = install(wanted)
  console.log(
    Object.entries(installed)
      .map(([name, version]) => `${name} ${version}`)
      .join(", ")
  )
  const types = typeCheck()
  if (types !== undefined) report(installed, types, "typescript")
  const failure = await behaviour()
  if (failure !== undefined) report(installed, failure, "node")
  if (process.exitCode === undefined) console.log("The packed SDK passes with these versions.")
} catch (error) {
  console.error(`Signalbox: ${error instanceof Error ? error.message : String(error)}${outputOf(error)}`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
