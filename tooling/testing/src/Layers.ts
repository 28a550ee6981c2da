import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"

/** The modules of a package, and what they import from each other. */
export interface ImportGraph {
  readonly modules: ReadonlyArray<string>
  /** Imports that are not from below, given the folders (or modules of the top folder) from the bottom up. */
  readonly upward: (layers: ReadonlyArray<string>) => ReadonlyArray<string>
  /** Modules that are in none of the layers. */
  readonly outside: (layers: ReadonlyArray<string>) => ReadonlyArray<string>
  /** Cycles of imports, types included, as paths. */
  readonly cycles: () => ReadonlyArray<string>
}

const isModule = (file: string): boolean => /\.tsx?$/u.test(file) && !/\.(?:test|tst)\.tsx?$/u.test(file)

const placeIn = (layers: ReadonlyArray<string>, file: string): number => layers.indexOf(file.split("/")[0] ?? "")

/** Reads the modules of a source folder, without tests, with the imports and re-exports of each. */
export const importGraph = (source: string): ImportGraph => {
  const modules = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(isModule)
  const importsOf = (file: string): ReadonlyArray<string> =>
    [...readFileSync(join(source, file), "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/gu)].map(
      ([, path = ""]) => normalize(join(dirname(file), path))
    )
  const imports = new Map(modules.map((file) => [file, importsOf(file)]))

  /** A path that leads from `file` back to it; empty if it is in no cycle. */
  const cycleFrom = (file: string): ReadonlyArray<string> => {
    const seen = new Set<string>()
    const pathTo = (at: string): ReadonlyArray<string> => {
      for (const imported of imports.get(at) ?? []) {
        if (imported === file) return [at, file]
        if (seen.has(imported)) continue
        seen.add(imported)
        const path = pathTo(imported)
        if (path.length > 0) return [at, ...path]
      }
      return []
    }
    return pathTo(file)
  }

  return {
    modules,
    upward: (layers) =>
      [...imports].flatMap(([file, imported]) => {
        const place = placeIn(layers, file)
        if (place === -1) return []
        return imported
          .filter((other) => isModule(other) && (placeIn(layers, other) === -1 || placeIn(layers, other) > place))
          .map((other) => `${file} imports ${other}`)
      }),
    outside: (layers) => modules.filter((file) => placeIn(layers, file) === -1),
    cycles: () => modules.map((file) => cycleFrom(file).join(" -> ")).filter((cycle) => cycle !== "")
  }
}
