import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { command, repository } from "./Repository.ts"

/** The libraries that are published, by folder. */
export const libraries = ["core", "sdk", "test-harness"] as const

/** A published library. */
export type Library = (typeof libraries)[number]

/** A library as it would be published. */
export interface Tarball {
  readonly library: Library
  readonly name: string
  readonly folder: string
  readonly file: string
}

const packLibrary = (library: Library, destination: string): Tarball => {
  const folder = join(repository, "packages", library)
  const { name, version }: { readonly name: string; readonly version: string } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8")
  )
  execFileSync(command("pnpm"), ["pack", "--pack-destination", destination], { cwd: folder, stdio: "pipe" })
  return { library, name, folder, file: join(destination, `${name.slice(1).replace("/", "-")}-${version}.tgz`) }
}

/** Packs every library with pnpm, which is what puts `publishConfig.exports` in place (npm does not). */
export const packLibraries = (destination: string): ReadonlyArray<Tarball> =>
  libraries.map((library) => packLibrary(library, destination))
