/**
 * Which package may import which: dependencies point one way.
 */
import { join } from "node:path"
import { isBuildScript, isTest, type WorkspacePackage } from "./Workspace.ts"

/** Packages of the workspace that a package may import. */
export interface Direction {
  /** In every file. */
  readonly imports: ReadonlyArray<string>
  /** In tests only. */
  readonly inTests?: ReadonlyArray<string>
}

/** The directions of all libraries and apps; tooling may import every one of them. Executables check the Node that runs them. */
export const directions: Readonly<Record<string, Direction>> = {
  core: { imports: [] },
  sdk: { imports: ["core"], inTests: ["test-harness"] },
  "test-harness": { imports: ["core", "node-build"] },
  operator: { imports: ["core"], inTests: ["test-harness"] },
  bulk: { imports: ["core"], inTests: ["test-harness"] },
  tui: { imports: ["core", "operator", "test-harness", "node-build"] },
  cli: { imports: ["core", "operator", "bulk", "tui", "test-harness", "node-build"] },
  site: { imports: ["core", "sdk", "test-harness"] }
}

const scope = "@signalbox/"

/** Files of the root folder that every package may import: the OpenAPI document, and the settings of all tests. */
const forEveryone: ReadonlySet<string> = new Set(["openapi.json", "vitest.config.ts"])

/** The package of the workspace that a specifier names, if it names one. */
export const packageOf = (specifier: string): string | undefined =>
  specifier.startsWith(scope) ? specifier.slice(scope.length).split("/")[0] : undefined

const allowed = (one: WorkspacePackage, file: string, tooling: ReadonlySet<string>): ReadonlySet<string> => {
  const { imports = [], inTests = [] } = directions[one.name] ?? {}
  const supports = isTest(file) || isBuildScript(one, file)
  return new Set([one.name, ...imports, ...(supports ? [...inTests, ...tooling] : [])])
}

/** One line for each import of a file that points the wrong way; an empty list is a pass. */
export const wrongDirections = (
  one: WorkspacePackage,
  file: string,
  imports: ReadonlyArray<string>,
  tooling: ReadonlySet<string>
): ReadonlyArray<string> => {
  // Benchmarks and simulations read private code on purpose.
  if (one.kind === "tooling") return []
  const names = allowed(one, file, tooling)
  return imports.flatMap((specifier) => {
    const target = packageOf(specifier)
    if (target !== undefined && !names.has(target)) {
      return [`${file} imports ${specifier}; ${one.name} may import: ${[...names].join(", ")}`]
    }
    const path = join(file, "..", specifier)
    const leaves = specifier.startsWith(".") && !path.startsWith(`${one.folder}/`) && !forEveryone.has(path)
    return leaves ? [`${file} imports ${specifier}, a file outside its package; import the package instead`] : []
  })
}
