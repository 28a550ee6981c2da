import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { command } from "./Repository.ts"
import type { Tarball } from "./Tarball.ts"

/** The output of a command, and its exit. */
export interface Outcome {
  readonly status: number
  readonly output: string
}

/** A project outside the workspace with nothing in it but the packed libraries. */
export interface Consumer {
  readonly folder: string
  readonly write: (file: string, text: string) => string
  readonly run: (program: string, words: ReadonlyArray<string>, env?: Readonly<Record<string, string>>) => Outcome
}

/** The options of a consumer. */
export interface ConsumerOptions {
  readonly folder: string
  readonly tarballs: ReadonlyArray<Tarball>
  /** Exact versions of what comes from the registry. */
  readonly registry: Readonly<Record<string, string>>
  /** The Node that it is for: packages that say that they do not run on it are refused. */
  readonly nodeVersion: string
}

const failedOutcome = (error: unknown): Outcome => {
  if (typeof error === "object" && error !== null && "status" in error) {
    const text = (key: "stdout" | "stderr") => String(Reflect.get(error, key) ?? "")
    return { status: Number(error.status ?? 1), output: `${text("stdout")}${text("stderr")}` }
  }
  throw error
}

/** Starts an empty project. */
const makeProject = (folder: string): Consumer => ({
  folder,
  write: (file, text) => {
    const path = join(folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  },
  run: (program, words, env = {}) => {
    // Nothing of the workspace may help: no NODE_PATH, no options of the test runner.
    const { HOME, PATH = "" } = process.env
    const whole = { HOME, PATH: `${dirname(command("node"))}${delimiter}${PATH}`, ...env }
    try {
      const output = execFileSync(program, [...words], { cwd: folder, env: whole, encoding: "utf8", stdio: "pipe" })
      return { status: 0, output }
    } catch (error) {
      return failedOutcome(error)
    }
  }
})

/**
 * Installs the tarballs and exact registry versions into an empty folder. pnpm takes the registry packages from its store
 * where the workspace has them already; only what the store lacks needs the network.
 *
 * @throws Error with what pnpm said, when it refuses.
 */
export const makeConsumer = ({ folder, nodeVersion, registry, tarballs }: ConsumerOptions): Consumer => {
  const project = makeProject(folder)
  const files = Object.fromEntries(tarballs.map(({ file, name }) => [name, `file:${file}`]))
  project.write(
    "package.json",
    JSON.stringify({ name: "consumer", private: true, type: "module", dependencies: { ...files, ...registry } })
  )
  project.write(
    "pnpm-workspace.yaml",
    JSON.stringify({
      packages: ["."],
      // The libraries depend on each other by version; those versions are not on the registry yet.
      overrides: files,
      enableGlobalVirtualStore: false,
      engineStrict: true,
      strictPeerDependencies: true,
      nodeVersion
    })
  )
  const { output, status } = project.run(command("pnpm"), ["install", "--prefer-offline", "--ignore-scripts"])
  if (status !== 0) throw new Error(`pnpm install in an empty project failed:\n${output}`)
  return project
}
