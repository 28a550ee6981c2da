import { readFileSync } from "node:fs"
import { join } from "node:path"

/** A module of a library that programs import. */
export interface Entry {
  /** As in `exports`, e.g. `./Events`. */
  readonly subpath: string
  /** The source file, relative to the folder of the library. */
  readonly file: string
}

/** The public entries of a library, read from its `exports`; closed subpaths (`null`) and the repository's own are left out. */
export const entriesOf = (folder: string): ReadonlyArray<Entry> => {
  const manifest: { readonly exports: Readonly<Record<string, string | null>> } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8")
  )
  return Object.entries(manifest.exports).flatMap(([subpath, file]) =>
    // The only entry other than a module is `package.json`.
    file?.endsWith(".ts") && !subpath.includes("*") ? [{ subpath, file }] : []
  )
}
