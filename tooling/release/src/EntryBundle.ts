import { isBuiltin } from "node:module"
import { dirname } from "node:path"
import type { Metafile, Plugin } from "esbuild"
import { build } from "esbuild"
import { repository } from "./Repository.ts"

/** The source to bundle: a file of this repository, or source code that is treated as one. */
export type EntrySource = { readonly file: string } | { readonly text: string; readonly beside: string }

/** An import in a file of ours that leads into another package. */
export interface OutsideImport {
  readonly from: string
  readonly to: string
}

/** Everything that a bundle of one entry reaches, whether or not a byte of it survives tree shaking. */
export interface EntryBundle {
  /**
   * Packages by name; Effect's by folder (`effect`, `effect/http`, `effect/http-api`), and of those only the folders
   * that our own files import: imports between Effect's modules do not count.
   */
  readonly packages: ReadonlySet<string>
  readonly nodeModules: ReadonlyArray<OutsideImport>
  /** Imports of a whole library (`effect`, `effect/http`) where one module would do. */
  readonly barrels: ReadonlyArray<OutsideImport>
}

// Built-in modules are kept apart from what cannot be resolved, so that the report can say which file wants which.
const keepNodeModules: Plugin = {
  name: "keep-node-modules",
  setup(bundle) {
    bundle.onResolve({ filter: /.*/ }, ({ path }) => (isBuiltin(path) ? { path, external: true } : undefined))
  }
}

const ownPackage = /^packages\/([^/]+)\/src\//
const installedPackage = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\/(.*)$/

const packageOf = (path: string): string => {
  const own = ownPackage.exec(path)
  if (own !== null) return `@signalbox/${own[1] ?? ""}`
  const installed = installedPackage.exec(path)
  if (installed === null) return path
  const [, name = "", inside = ""] = installed
  const folder = /^(?:dist|src)\/([^/]+)\//.exec(inside)?.[1]
  return name !== "effect" || folder === undefined || folder === "internal" ? name : `effect/${folder}`
}

const isBarrel = (path: string): boolean => /node_modules\/effect\/(?:dist|src)\/(?:[^/]+\/)?index\.[jt]s$/.test(path)

const isInstalled = (path: string) => path.includes("node_modules/")

const importsWhere = (
  inputs: Metafile["inputs"],
  matches: (found: { readonly from: string; readonly to: string }) => boolean
): ReadonlyArray<OutsideImport> =>
  Object.entries(inputs).flatMap(([from, { imports }]) =>
    imports.flatMap(({ original, path }) => (matches({ from, to: path }) ? [{ from, to: original ?? path }] : []))
  )

/** Bundles an entry for a platform that has no built-in modules and lists what it reaches. */
export const bundleEntry = async (source: EntrySource): Promise<EntryBundle> => {
  const { metafile } = await build({
    ...("file" in source
      ? { entryPoints: [source.file] }
      : { stdin: { contents: source.text, resolveDir: dirname(source.beside), loader: "ts" as const } }),
    absWorkingDir: repository,
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    logLevel: "silent",
    plugins: [keepNodeModules]
  })
  const { inputs } = metafile
  const files = Object.keys(inputs).filter((path) => path !== "<stdin>")
  const asked = Object.entries(inputs).flatMap(([from, { imports }]) =>
    isInstalled(from) ? [] : imports.flatMap(({ external, path }) => (external === true ? [] : [path]))
  )
  const effects = asked.filter((path) => packageOf(path).startsWith("effect"))
  const others = files.filter((path) => !packageOf(path).startsWith("effect"))
  return {
    packages: new Set([...effects, ...others].map(packageOf)),
    nodeModules: importsWhere(inputs, ({ to }) => isBuiltin(to)),
    barrels: importsWhere(inputs, ({ from, to }) => isBarrel(to) && !isInstalled(from))
  }
}
