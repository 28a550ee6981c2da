import { folderOfSuite } from "@signalbox/testing/Folder"
import { beforeAll } from "@effect/vitest"
import { runtimes } from "@signalbox/runtimes"
import { build } from "esbuild"
import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"

/** The versions of Node whose `fetch` the tables cover. */
export const nodeNames = ["Node 20", "Node 22", "Node 24"] as const

/** The platforms that run a program. */
type PlatformName = (typeof nodeNames)[number] | "Deno"

/** The versions of undici that run on a Node. */
export const undiciVersions = (node: (typeof nodeNames)[number]): Array<string> =>
  node === "Node 20" ? ["undici 7"] : ["undici 7", "undici 8"]

interface ProgramInput {
  /** Standard input of the program. */
  readonly input?: string
  /** Certificates that it trusts in addition to those of the platform. */
  readonly trusted?: string
}

/** Ends a program that hangs, also on a busy machine, before its test does. */
const programTimeoutMs = 170_000

/**
 * A program next to this file, for every platform: bundled into one file before the tests of the surrounding `describe`, and
 * removed after them. Running it returns the JSON value that it prints.
 */
export const nodeProgram = (name: string) => {
  const folder = folderOfSuite()
  const file = join(folder, `${name}.mjs`)
  beforeAll(() =>
    build({
      entryPoints: [join(import.meta.dirname, `${name}.ts`)],
      outfile: file,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      // CommonJS modules, such as those of undici, require modules of Node.
      banner: { js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url)` },
      logLevel: "silent"
    })
  )
  return (platform: PlatformName, { input = "", trusted = "" }: ProgramInput = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const certificates = join(folder, `${platform}.pem`)
      writeFileSync(certificates, trusted)
      const env = trusted === "" ? {} : { NODE_EXTRA_CA_CERTS: certificates }
      const words = platform === "Deno" ? ["run", "--allow-all", "--quiet", file] : [file]
      const child = execFile(runtimes[platform], words, { env, timeout: programTimeoutMs }, (error, stdout) => {
        if (error === null) resolve(JSON.parse(stdout))
        else reject(error)
      })
      child.stdin?.end(input)
    })
}
