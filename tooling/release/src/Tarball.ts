import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export const repository = fileURLToPath(new URL("../../..", import.meta.url))

/** A library as it would be published. */
export interface Tarball {
  readonly name: string
  readonly folder: string
  readonly file: string
}

/** The libraries that are published, by folder. */
export const libraries = ["core", "sdk", "test-harness"] as const

/** The installed command of this workspace, e.g. `pnpm`. */
export const command = (name: string): string => join(repository, "node_modules", ".bin", name)

/** Packs one library with pnpm, which is what puts `publishConfig.exports` in place (npm does not). */
export const packLibrary = (library: (typeof libraries)[number], destination: string): Tarball => {
  const folder = join(repository, "packages", library)
  const { name, version }: { readonly name: string; readonly version: string } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8")
  )
  execFileSync(command("pnpm"), ["pack", "--pack-destination", destination], { cwd: folder, stdio: "pipe" })
  return { name, folder, file: join(destination, `${name.slice(1).replace("/", "-")}-${version}.tgz`) }
}
