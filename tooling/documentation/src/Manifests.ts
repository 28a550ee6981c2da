/**
 * The manifests of the libraries, whose published entries are those of the repository.
 */
import { read } from "./Repository.ts"

interface Manifest {
  readonly exports: Readonly<Record<string, string>>
  readonly publishConfig: object
}

/** A library with separate files for Node (`buildForNode`) has both forms of each module; the others have one file each. */
const targetOf = (file: string, hasFilesForNode: boolean): unknown => {
  if (!file.startsWith("./src/")) return file
  const name = file.slice("./src/".length).replace(/\.ts$/, "")
  const path = `./dist/${name}.js`
  const types = `./dist/${name}.d.ts`
  return hasFilesForNode
    ? { types, module: path, node: `./dist/node/${name}.js`, default: path }
    : { types, default: path }
}

/** Whether an entry is for this repository only: those in a folder are. */
const isInternal = (entry: string): boolean => entry.lastIndexOf("/") > 1

/** The entries of core: each module that its index exports by name, and the others. */
const coreEntries = (written: Manifest["exports"]): Manifest["exports"] => {
  const named = [...read("packages/core/src/index.ts").matchAll(/^export \* as (\w+) from "\.\/(.+)"$/gmu)]
  const all = [...Object.entries(written), ...named.map(([, name = "", file = ""]) => [`./${name}`, `./src/${file}`])]
  return Object.fromEntries(all.toSorted(([one = ""], [other = ""]) => (one < other ? -1 : 1)))
}

/** The manifest of a library with the entries that it publishes. */
const manifestOf = (folder: string): string => {
  const written: Manifest = JSON.parse(read(`${folder}/package.json`))
  const manifest = folder === "packages/core" ? { ...written, exports: coreEntries(written.exports) } : written
  const hasFilesForNode = read(`${folder}/build.mjs`).includes("buildForNode(")
  const exports = Object.fromEntries(
    Object.entries(manifest.exports).flatMap(([entry, file]) =>
      isInternal(entry) ? [] : [[entry, targetOf(file, hasFilesForNode)]]
    )
  )
  return `${JSON.stringify({ ...manifest, publishConfig: { ...manifest.publishConfig, exports } }, null, 2)}\n`
}

/** Each manifest as it should be. */
export const manifests = Object.fromEntries(
  ["core", "sdk", "test-harness", "operator", "bulk"].map((name) => [
    `packages/${name}/package.json`,
    () => manifestOf(`packages/${name}`)
  ])
)
