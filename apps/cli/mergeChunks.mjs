// Merges chunks of esbuild that are loaded together: to load a file takes Node as long as to compile 10 KB of code.
import { rmSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { build } from "esbuild"

const quoted = (text) => JSON.stringify(text)

/** The files that esbuild wrote, by their names. */
export const outputsOf = ({ outputs }) =>
  new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output]))

/** The files of entry points, with those that they import. */
export const closureOf = (outputs, entryPoints) => {
  const files = new Set()
  const add = (file) => {
    if (files.has(file)) return
    files.add(file)
    for (const { kind, path } of outputs.get(file).imports) if (kind === "import-statement") add(basename(path))
  }
  for (const [file, { entryPoint }] of outputs) if (entryPoints.includes(entryPoint)) add(file)
  return files
}

/**
 * Replaces files that are always loaded together with one, `name`, and takes them out of the outputs. Files that load
 * without it, `copied`, are small and stateless: each file that imports one contains a copy.
 */
export const mergeChunks = async ({ copied, files, name, options: { outdir, ...options }, outputs }) => {
  // An entry point is imported dynamically, by the names that it exports.
  const merged = new Map(
    Array.from(files, (file, number) => {
      const { entryPoint, exports } = outputs.get(file)
      const suffix = entryPoint === undefined ? `_${number}` : ""
      return [file, exports.map((exported) => ({ exported, shared: `${exported}${suffix}` }))]
    })
  )

  /** How the importer of a file gets it: from inside of the merged file, as a copy, from the merged file, or as before. */
  const resolving = (isInside) => ({
    name: "merged-chunks",
    setup: (bundler) => {
      bundler.onResolve({ filter: /^\.\// }, ({ importer, kind, path }) => {
        if (kind === "entry-point") return undefined
        const file = basename(path)
        if (kind === "dynamic-import") return { path: merged.has(file) ? `./${name}` : path, external: true }
        if (copied.has(file) && (isInside || copied.has(basename(importer)))) return undefined
        if (!merged.has(file)) return { path, external: true }
        return isInside ? undefined : { path: file, namespace: "merged" }
      })
      bundler.onResolve({ filter: /./, namespace: "merged" }, ({ path }) => ({ path, external: true }))
      bundler.onLoad({ filter: /./, namespace: "merged" }, ({ path }) => {
        const names = merged.get(path).map(({ exported, shared }) => `${shared} as ${exported}`)
        return { contents: `export {${names.join()}} from ${quoted(`./${name}`)}` }
      })
    }
  })
  const allExports = [...merged].map(([file, names]) => {
    const list = names.map(({ exported, shared }) => `${exported} as ${shared}`)
    return `export {${list.join()}} from ${quoted(`./${file}`)}`
  })
  await build({
    ...options,
    outfile: join(outdir, name),
    stdin: { contents: allExports.join("\n"), resolveDir: resolve(outdir) },
    plugins: [resolving(true)]
  })
  for (const file of files) {
    rmSync(join(outdir, file))
    outputs.delete(file)
  }
  await build({
    ...options,
    outdir,
    allowOverwrite: true,
    entryPoints: Array.from(outputs.keys(), (file) => join(outdir, file)),
    plugins: [resolving(false)]
  })
  outputs.set(name, { imports: [] })
}
