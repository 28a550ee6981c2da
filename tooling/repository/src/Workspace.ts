/**
 * The packages of this repository and their source files.
 */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** The root folder of this repository. */
export const repository: string = fileURLToPath(new URL("../../..", import.meta.url))

/** A package of the workspace. */
export interface WorkspacePackage {
  /** The name without the scope, for example `core`. */
  readonly name: string
  /** The folder relative to the repository, for example `packages/core`. */
  readonly folder: string
  readonly kind: "packages" | "apps" | "tooling"
}

const kinds = ["packages", "apps", "tooling"] as const

/** Every package of the workspace. */
export const workspacePackages = (): ReadonlyArray<WorkspacePackage> =>
  kinds.flatMap((kind) =>
    readdirSync(join(repository, kind))
      .filter((name) => existsSync(join(repository, kind, name, "package.json")))
      .map((name) => ({ name, folder: `${kind}/${name}`, kind }))
  )

/** The source files of a package, tests included, relative to the repository. */
export const sourceFiles = ({ folder }: WorkspacePackage): ReadonlyArray<string> =>
  globSync("**/*.{ts,tsx,mjs,js,jsx}", {
    cwd: join(repository, folder),
    // The last one has what the build of the site makes.
    exclude: (name) => ["node_modules", "dist", ".types", "public"].includes(name)
  })
    .map((file) => `${folder}/${file}`)
    .toSorted()

/** Whether a file is a test or supports tests. */
export const isTest = (file: string): boolean =>
  /\.(?:test|tst|bench)\.tsx?$/u.test(basename(file)) || /(?:^|\/)test\//u.test(file)

/** Whether a file builds or configures its package: a script next to `package.json`, not in a folder. */
export const isBuildScript = ({ folder }: WorkspacePackage, file: string): boolean => dirname(file) === folder

/** The text of a file of the repository. */
export const read = (file: string): string => readFileSync(join(repository, file), "utf8")
