import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { command, repository } from "./Repository.ts"

/** The packages that are published, and their folders. */
const folders = {
  core: "packages/core",
  sdk: "packages/sdk",
  "test-harness": "packages/test-harness",
  operator: "packages/operator",
  bulk: "packages/bulk",
  cli: "apps/cli"
} as const

/** A package that is published. */
export type Published = keyof typeof folders

/** Those that programs import. */
export const libraries = ["core", "sdk", "test-harness", "operator", "bulk"] as const satisfies ReadonlyArray<Published>

/** A package as it would be published. */
export interface Tarball {
  readonly of: Published
  readonly name: string
  readonly folder: string
  readonly file: string
}

/** Packs a package with pnpm, which is what puts `publishConfig.exports` in place (npm does not). */
export const pack = (of: Published, destination: string): Tarball => {
  const folder = join(repository, folders[of])
  const { name, version }: { readonly name: string; readonly version: string } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8")
  )
  execFileSync(command("pnpm"), ["pack", "--pack-destination", destination], { cwd: folder, stdio: "pipe" })
  return { of, name, folder, file: join(destination, `${name.slice(1).replace("/", "-")}-${version}.tgz`) }
}
