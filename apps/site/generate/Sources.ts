/**
 * Which Markdown files of the repository become which pages.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { fileURLToPath } from "node:url"

/** The folder of the repository. */
export const repository = fileURLToPath(new URL("../../..", import.meta.url))

/** A Markdown file and the page that it becomes. */
export interface Source {
  /** Path of the file in the repository, e.g. `docs/sdk/errors.md`. */
  readonly file: string
  /** Path of the page without slashes at either end, e.g. `sdk/errors`. */
  readonly route: string
  readonly markdown: string
}

/** Files outside of `docs` that are pages too. */
const otherFiles: Readonly<Record<string, string>> = {
  "CONTRIBUTING.md": "contributing",
  "SECURITY.md": "security",
  "apps/tui/README.md": "tui",
  "packages/bulk/README.md": "bulk",
  "packages/core/README.md": "core",
  "packages/operator/README.md": "operator"
}

const routeOf = (file: string): string => {
  const path = file.replace(/^docs\//, "").replace(/\.md$/, "")
  return path.replace(/(?:^|\/)README$/, "")
}

const isPage = (file: string): boolean => file.endsWith(".md") && !file.includes("node_modules")

/** Every page, by route. A page in `docs` replaces a README with the same route. */
export const sources = (): ReadonlyArray<Source> => {
  const inDocs = readdirSync(join(repository, "docs"), { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter(isPage)
    .map((file) => ({ file: posix.join("docs", file), route: routeOf(file) }))
  const taken = new Set(inDocs.map(({ route }) => route))
  const others = Object.entries(otherFiles)
    .filter(([file, route]) => !taken.has(route) && existsSync(join(repository, file)))
    .map(([file, route]) => ({ file, route }))
  return [...inDocs, ...others].map(({ file, route }) => ({
    file,
    route,
    markdown: readFileSync(join(repository, file), "utf8")
  }))
}

/** The file that a relative link of `from` leads to. */
export const linkedFile = (from: string, link: string): string => posix.normalize(posix.join(dirname(from), link))
