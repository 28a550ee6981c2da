import { entriesOf } from "@signalbox/node-build/Entries"
import { join } from "node:path"
import type { EntryBundle } from "./EntryBundle.ts"
import { repository } from "./Repository.ts"
import { libraries } from "./Tarball.ts"

/** A public entry of a library and what may appear in a bundle of it. */
export interface Boundary {
  /** As users write it, e.g. `@signalbox/core/Events`. */
  readonly specifier: string
  /** The source file, relative to the repository. */
  readonly file: string
  readonly allowed: ReadonlyArray<string>
  readonly mayUseNode: boolean
}

const effect = ["effect", "effect/http", "effect/encoding"]
const overUndici = new Set(["@signalbox/core/UndiciTransport", "@signalbox/sdk/node"])
const runsOnNode = new Set([
  ...overUndici,
  "@signalbox/bulk",
  "@signalbox/bulk/cluster",
  "@signalbox/bulk/Disk",
  "@signalbox/test-harness/server",
  "@signalbox/test-harness/vitest"
])

// No application bundles a test runner; its dependencies do not count.
const vitest = ["vitest", "vite", "chai", "expect-type", "magic-string", "tinybench", "@jridgewell/sourcemap-codec"]

// Packages that measure text in a terminal, and read the configuration file.
const operatorTools = [
  "@signalbox/core",
  "@signalbox/operator",
  ...effect,
  "effect/process",
  "string-width",
  "strip-ansi",
  "ansi-regex",
  "get-east-asian-width",
  "smol-toml"
]

// Packages that read files of lines, and find the place of an error in them.
const bulk = ["@signalbox/core", "@signalbox/bulk", ...effect, "csv-parse", "@humanwhocodes/momoa"]

// Packages that share runs between machines; a single machine neither installs nor loads them.
const bulkCluster = [...bulk, "effect/persistence", "effect/sql", "@effect/sql-pg"]

const allowedIn = (specifier: string): ReadonlyArray<string> => {
  if (overUndici.has(specifier)) return ["@signalbox/core", "@signalbox/sdk", ...effect, "undici"]
  if (specifier.startsWith("@signalbox/core")) return ["@signalbox/core", ...effect]
  if (specifier.startsWith("@signalbox/sdk")) return ["@signalbox/core", "@signalbox/sdk", ...effect]
  if (specifier.startsWith("@signalbox/operator")) return operatorTools
  if (specifier === "@signalbox/bulk/cluster") return bulkCluster
  if (specifier.startsWith("@signalbox/bulk")) return bulk
  const fake = ["@signalbox/core", "@signalbox/test-harness", ...effect, "effect/http-api"]
  return specifier === "@signalbox/test-harness/vitest" ? [...fake, ...vitest] : fake
}

/** The boundaries of every public entry, read from the `exports` of the libraries, so that a new entry is covered at once. */
export const boundaries = (): ReadonlyArray<Boundary> =>
  libraries.flatMap((name) => {
    const folder = join("packages", name)
    return entriesOf(join(repository, folder)).map(({ file, subpath }) => {
      const specifier = `@signalbox/${name}${subpath.slice(1)}`
      return {
        specifier,
        file: join(folder, file),
        allowed: allowedIn(specifier),
        mayUseNode: runsOnNode.has(specifier)
      }
    })
  })

/** One line for each thing in a bundle that its boundary does not allow; an empty list is a pass. */
export const violations = (boundary: Boundary, bundle: EntryBundle): ReadonlyArray<string> => [
  ...(boundary.mayUseNode
    ? []
    : bundle.nodeModules.map(({ from, to }) => `${boundary.specifier} reaches the Node module "${to}" in ${from}`)),
  ...[...bundle.packages]
    .filter((name) => !boundary.allowed.includes(name))
    .map((name) => `${boundary.specifier} reaches "${name}"; allowed: ${boundary.allowed.join(", ")}`),
  ...bundle.barrels.map(({ from, to }) => `${from} imports all of "${to}"; import the one module it needs`)
]
