// Merges chunks of esbuild that are loaded together: to load a file takes Node as long as to compile 10 KB of code.
import { rmSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { build } from "esbuild"

const quoted = (text) => JSON.stringify(text)

/** Replaces the static imports of `together` with one file, `name`, except those of `before`, which load without it. */
export const mergeChunks = async ({ before, metafile, name, options: { outdir, ...options }, together }) => {
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]))
  const closureOf = (entryPoints) => {
    const files = new Set()
    const add = (file) => {
      if (files.has(file)) return
      files.add(file)
      for (const { kind, path } of outputs.get(file).imports) if (kind === "import-statement") add(basename(path))
    }
    for (const [file, { entryPoint }] of outputs) if (entryPoints.includes(entryPoint)) add(file)
    return files
  }
  const files = [...closureOf(together).difference(closureOf(before))]
  const merged = new Map(
    files.map((file, number) => [
      file,
      outputs.get(file).exports.map((exported) => ({ exported, shared: `${exported}_${number}` }))
    ])
  )

  /** How the importer of a file gets it: from inside of the merged file, from the merged file, or as before. */
  const resolving = (isInside) => ({
    name: "merged-chunks",
    setup: (bundler) => {
      bundler.onResolve({ filter: /^\.\// }, ({ kind, path }) => {
        if (kind === "entry-point") return undefined
        if (kind === "dynamic-import" || !merged.has(basename(path))) return { path, external: true }
        return isInside ? undefined : { path: basename(path), namespace: "merged" }
      })
      bundler.onResolve({ filter: /./, namespace: "merged" }, ({ path }) => ({ path, external: true }))
      bundler.onLoad({ filter: /./, namespace: "merged" }, ({ path }) => ({ contents: fromMerged(path) }))
    }
  })
  const fromMerged = (file) => {
    const names = merged.get(file).map(({ exported, shared }) => `${shared} as ${exported}`)
    return `export {${names.join()}} from ${quoted(`./${name}`)}`
  }
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
  const importers = [...outputs.keys()].filter((file) => !merged.has(file))
  await build({
    ...options,
    outdir,
    allowOverwrite: true,
    entryPoints: importers.map((file) => join(outdir, file)),
    plugins: [resolving(false)]
  })
  // A file that is imported dynamically stays.
  for (const file of merged.keys()) {
    const path = join(outdir, file)
    if (outputs.get(file).entryPoint === undefined) rmSync(path)
    else
      await build({
        ...options,
        outfile: path,
        allowOverwrite: true,
        stdin: { contents: fromMerged(file), resolveDir: resolve(outdir) },
        external: [`./${name}`]
      })
  }
}
