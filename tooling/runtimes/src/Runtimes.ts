import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const require = createRequire(import.meta.url)

const executable = (manifestFile: string, command: string): string => {
  const { bin }: { readonly bin: Readonly<Record<string, string>> } = JSON.parse(readFileSync(manifestFile, "utf8"))
  const file = bin[command]
  if (file === undefined) throw new Error(`${manifestFile} has no command "${command}"`)
  return join(dirname(manifestFile), file)
}

/**
 * Executables of the runtimes that the libraries are tried on, by the name that people use.
 *
 * They come from packages, so that every machine tries the same versions. The packages are dependencies of nothing but this
 * folder: wherever they are installed, the command `node` means one of them.
 */
export const runtimes = {
  "Node 18": executable(require.resolve("node-18/package.json"), "node"),
  "Node 20": executable(require.resolve("node-20/package.json"), "node"),
  "Node 22": executable(require.resolve("node-22/package.json"), "node"),
  "Node 24": executable(require.resolve("node/package.json"), "node"),
  Bun: executable(require.resolve("bun/package.json"), "bun"),
  // Its command is a script that starts this.
  Deno: join(dirname(require.resolve("deno/package.json")), process.platform === "win32" ? "deno.exe" : "deno"),
  workerd: executable(require.resolve("workerd/package.json"), "workerd")
} as const
