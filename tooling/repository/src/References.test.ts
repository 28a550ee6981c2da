import { existsSync, readFileSync } from "node:fs"
import { join, normalize } from "node:path"
import { describe, expect, it } from "vitest"
import { repository, workspacePackages } from "./Workspace.ts"

interface Config {
  readonly compilerOptions?: { readonly composite?: boolean }
  readonly references?: ReadonlyArray<{ readonly path: string }>
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const packages = workspacePackages()

const configOf = (folder: string, name: string): Config | undefined => {
  const file = join(repository, folder, name)
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined
}

/** The packages whose declarations others read. */
const referenced = packages.filter(({ folder }) => configOf(folder, "tsconfig.json")?.compilerOptions?.composite)

/** The referenced packages that a package depends on, without a reference to them. */
const missing = (folder: string): ReadonlyArray<string> => {
  const { dependencies, devDependencies }: Manifest = JSON.parse(
    readFileSync(join(repository, folder, "package.json"), "utf8")
  )
  const names = Object.keys({ ...dependencies, ...devDependencies })
  const config = configOf(folder, "tsconfig.test.json") ?? configOf(folder, "tsconfig.json")
  const references = new Set((config?.references ?? []).map(({ path }) => normalize(join(folder, path))))
  return referenced
    .filter(({ name }) => names.includes(`@signalbox/${name}`))
    .map((other) => other.folder)
    .filter((other) => !references.has(other))
}

describe("type checks", () => {
  it("have declarations to read", () => {
    expect(referenced.map(({ name }) => name)).toContain("core")
  })

  it.each(packages.filter(({ folder }) => existsSync(join(repository, folder, "tsconfig.json"))))(
    "of $name read the declarations of its dependencies, so that an error appears once",
    ({ folder }) => {
      expect(missing(folder)).toEqual([])
    }
  )
})
