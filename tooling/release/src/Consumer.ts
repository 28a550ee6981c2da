import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import type { Tarball } from "./Tarball.ts"
import { command } from "./Tarball.ts"

/** What a command printed and how it ended. */
export interface Outcome {
  readonly status: number
  readonly output: string
}

/** An empty project outside the workspace with the packed libraries installed in it. */
export interface Consumer {
  readonly folder: string
  readonly write: (file: string, text: string) => string
  readonly run: (program: string, words: ReadonlyArray<string>) => Outcome
}

const failedOutcome = (error: unknown): Outcome => {
  if (typeof error === "object" && error !== null && "status" in error) {
    const text = (key: "stdout" | "stderr") => String(Reflect.get(error, key) ?? "")
    return { status: Number(error.status ?? 1), output: `${text("stdout")}${text("stderr")}` }
  }
  throw error
}

/**
 * Installs the tarballs and exact registry versions into an empty folder. pnpm takes the registry packages from its store
 * where the workspace has them already; only what the store lacks needs the network.
 */
export const makeConsumer = (
  folder: string,
  tarballs: ReadonlyArray<Tarball>,
  registry: Readonly<Record<string, string>>
): Consumer => {
  const write = (file: string, text: string) => {
    const path = join(folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  }
  const run = (program: string, words: ReadonlyArray<string>): Outcome => {
    // Nothing of the workspace may help: no NODE_PATH, no options of the test runner.
    const { HOME, PATH = "" } = process.env
    const env = { HOME, PATH: `${dirname(command("node"))}${delimiter}${PATH}` }
    try {
      const output = execFileSync(program, [...words], { cwd: folder, env, encoding: "utf8", stdio: "pipe" })
      return { status: 0, output }
    } catch (error) {
      return failedOutcome(error)
    }
  }
  const files = Object.fromEntries(tarballs.map(({ file, name }) => [name, `file:${file}`]))
  write(
    "package.json",
    JSON.stringify({ name: "consumer", private: true, type: "module", dependencies: { ...files, ...registry } })
  )
  // The libraries depend on each other by version; those versions are not on the registry yet.
  write("pnpm-workspace.yaml", JSON.stringify({ packages: ["."], overrides: files, enableGlobalVirtualStore: false }))
  const installed = run(command("pnpm"), ["install", "--prefer-offline", "--ignore-scripts"])
  if (installed.status !== 0) throw new Error(`pnpm install in an empty project failed:\n${installed.output}`)
  return { folder, write, run }
}
