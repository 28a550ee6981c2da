import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** The folder of this repository. */
export const repository = fileURLToPath(new URL("../../..", import.meta.url))

/** The installed command of this workspace, e.g. `pnpm`. */
export const command = (name: string): string => join(repository, "node_modules", ".bin", name)

/** The version that the catalog of the workspace has for a package. */
export const catalogVersion = (name: string): string => {
  const catalog = readFileSync(join(repository, "pnpm-workspace.yaml"), "utf8")
  const version = new RegExp(`^  "?${name}"?: (\\S+)$`, "m").exec(catalog)?.[1]
  if (version === undefined) throw new Error(`${name} is not in the catalog of pnpm-workspace.yaml`)
  return version
}
