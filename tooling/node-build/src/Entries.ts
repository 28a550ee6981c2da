import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"

/** A module of a library that programs import. */
export interface Entry {
  /** As in `exports`, e.g. `./Events`. */
  readonly subpath: string
  /** The source file, relative to the folder of the library. */
  readonly file: string
}

/** The public entries of a library, read from its `exports`, so that a new one is known at once. */
export const entriesOf = (folder: string): ReadonlyArray<Entry> => {
  const manifest: { readonly exports: Readonly<Record<string, string | null>> } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8")
  )
  const closed = Object.entries(manifest.exports).flatMap(([subpath, target]) => (target === null ? [subpath] : []))
  const isClosed = (subpath: string) =>
    closed.some((pattern) => {
      const [before = "", after = ""] = pattern.split("*", 2)
      return subpath.startsWith(before) && subpath.endsWith(after)
    })
  return Object.entries(manifest.exports).flatMap(([subpath, target]) => {
    if (target === null) return []
    if (!subpath.includes("*")) return [{ subpath, file: target }]
    const [before = "", after = ""] = target.split("*", 2)
    return readdirSync(join(folder, before), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(after) && !name.endsWith(`.test${after}`) && !name.endsWith(`.tst${after}`))
      .map((name) => ({ subpath: subpath.replace("*", name.slice(0, -after.length)), file: join(before, name) }))
      .filter((entry) => !isClosed(entry.subpath))
  })
}
