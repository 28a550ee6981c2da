import { rmSync, writeFileSync } from "node:fs"
import { isAbsolute, join, relative } from "node:path"
import { rolldown } from "rolldown"
import { entriesOf } from "./Entries.ts"
import { inlineDeclarations } from "./Declarations.ts"
import { noticesFile, noticesOf } from "./Notices.ts"

/** A file of the build, and which modules go into it. */
export interface Chunk {
  readonly name: string
  readonly modules: RegExp
}

/** Options of {@link buildStandalone}. */
export interface StandaloneOptions {
  /** Packages whose modules become part of the library. */
  readonly inlined: ReadonlyArray<string>
  /**
   * The files behind the entries, in order of precedence; what matches none is left to the bundler. A program that
   * uses nothing of a file leaves it out as a whole, and Node opens few files.
   */
  readonly chunks: ReadonlyArray<Chunk>
}

const isOneOf = (packages: ReadonlyArray<string>, id: string) =>
  packages.some((name) => id === name || id.startsWith(`${name}/`))

/** Whether an import leads to a package that stays a dependency. */
const isExternal = (inlined: ReadonlyArray<string>, id: string) =>
  !id.startsWith(".") && !isAbsolute(id) && !isOneOf(inlined, id)

/**
 * Writes `dist` of the library in `folder`: its public entries as modules that need none of the inlined packages, in as
 * few files as its chunks say, and their declarations.
 *
 * The declarations of the library must be in `dist` already, and those of inlined workspace packages in theirs. An entry
 * named after an inlined package, such as `./effect`, imports that package instead of inlining it.
 */
export const buildStandalone = async (folder: string, { chunks, inlined }: StandaloneOptions): Promise<void> => {
  const dir = join(folder, "dist")
  const entries = entriesOf(folder)
  const named = (files: typeof entries) =>
    Object.fromEntries(files.map(({ file }) => [relative("src", file).replace(/\.ts$/, ""), join(folder, file)]))
  const isBridge = ({ subpath }: (typeof entries)[number]) => inlined.some((name) => subpath === `./${name}`)
  rmSync(join(dir, "chunks"), { recursive: true, force: true })

  const standalone = entries.filter((entry) => !isBridge(entry))
  const bundle = await rolldown({
    input: named(standalone),
    external: (id) => isExternal(inlined, id),
    platform: "neutral",
    tsconfig: false,
    // Chunks may not pull in the modules that they import, so that each file holds what its name says.
    preserveEntrySignatures: "allow-extension",
    transform: { target: "es2022" }
  })
  const shared = {
    dir,
    format: "esm",
    comments: { legal: true, annotation: true, jsdoc: false },
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name].js"
  } as const
  const { output } = await bundle.write({
    ...shared,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: chunks.map(({ modules, name }, index) => ({
        name,
        test: modules,
        priority: chunks.length - index,
        minSize: 0
      }))
    }
  })
  await bundle.close()
  const notices = noticesOf(output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : [])))
  if (notices !== undefined) writeFileSync(join(dir, noticesFile), notices)

  const bridges = await rolldown({
    input: named(entries.filter(isBridge)),
    external: (id) => !id.startsWith(".") && !isAbsolute(id),
    platform: "neutral",
    tsconfig: false
  })
  await bridges.write(shared)
  await bridges.close()

  const declarationOf = ({ file }: (typeof entries)[number]) => relative("src", file).replace(/\.ts$/, ".d.ts")
  inlineDeclarations(dir, standalone.map(declarationOf), inlined, entries.filter(isBridge).map(declarationOf))
}
