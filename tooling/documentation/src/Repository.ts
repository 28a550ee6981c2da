import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** The folder of this repository. */
export const root = fileURLToPath(new URL("../../..", import.meta.url))

/** Reads a file of the repository; the path is relative to its root. */
export const read = (path: string): string => readFileSync(join(root, path), "utf8")

/** The files that git tracks or would add, relative to the root, sorted; deleted files are left out. */
export const trackedFiles = (): ReadonlyArray<string> => {
  const list = (...options: ReadonlyArray<string>) =>
    execFileSync("git", ["ls-files", "-z", ...options], { cwd: root, encoding: "utf8" }).split("\0")
  const deleted = new Set(list("--deleted"))
  return list("--cached", "--others", "--exclude-standard")
    .filter((file) => file !== "" && !deleted.has(file))
    .sort()
}
