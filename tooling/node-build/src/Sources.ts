import type { Metafile } from "esbuild"
import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** The file of a build that lists its sources with their digests. Packages do not contain it. */
const sourcesFile = "dist/sources.json"

const digestOf = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex")

/** Lists the sources of an esbuild bundle of the package in the current folder. */
export const writeSources = ({ inputs }: Pick<Metafile, "inputs">): void => {
  const sources = Object.keys(inputs).filter((path) => existsSync(path) && !path.includes("node_modules/"))
  writeFileSync(sourcesFile, JSON.stringify(Object.fromEntries(sources.map((path) => [path, digestOf(path)]))))
}

/** A program in the `dist` of a package, for tests; throws where a source has changed since it was built. */
export const builtProgram = (packageFolder: URL, name: string): string => {
  const folder = fileURLToPath(packageFolder)
  const list = join(folder, sourcesFile)
  if (!existsSync(list)) throw new Error(`${list} is missing; run pnpm build`)
  // Written by `writeSources`.
  const digests = JSON.parse(readFileSync(list, "utf8")) as Readonly<Record<string, string>>
  const changed = Object.keys(digests).find((path) => {
    const file = join(folder, path)
    return !existsSync(file) || digestOf(file) !== digests[path]
  })
  if (changed !== undefined) throw new Error(`${join(folder, changed)} has changed since the build; run pnpm build`)
  return join(folder, "dist", name)
}
