import { writeFileSync } from "node:fs"
import { isAbsolute, join, relative } from "node:path"
import { type InputOptions, rolldown } from "rolldown"
import { compile } from "./Compile.ts"
import { bundleDeclarations } from "./Declarations.ts"
import { entriesOf } from "./Entries.ts"
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
  /** Leaves out line breaks and indentation, where the size of the package is limited; names and annotations stay. */
  readonly compact?: boolean
  /** Names that the build replaces by the text of an expression. */
  readonly define?: Readonly<Record<string, string>>
  /**
   * The files behind the entries, in order of precedence; the bundler places modules that match none. A program that
   * uses nothing of a file leaves it out as a whole, and Node opens few files.
   */
  readonly chunks: ReadonlyArray<Chunk>
}

const isOneOf = (packages: ReadonlyArray<string>, id: string) =>
  packages.some((name) => id === name || id.startsWith(`${name}/`))

/** Code of the compiler for syntax that older platforms lack, such as `using`; it becomes part of the library. */
const compilerHelpers = "@oxc-project/runtime"

/** Whether an import leads to a package that stays a dependency. */
const isExternal = (inlined: ReadonlyArray<string>, id: string) =>
  !id.startsWith(".") && !isAbsolute(id) && !isOneOf([...inlined, compilerHelpers], id)

/** The modules of a library that its entries reach, as paths. */
const reachedBy = async (options: InputOptions): Promise<ReadonlySet<string>> => {
  const bundle = await rolldown(options)
  const { output } = await bundle.generate()
  await bundle.close()
  return new Set(output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : [])))
}

/**
 * Writes `dist` of the library in `folder`: its public entries as modules that need none of the inlined packages, in as
 * few files as its chunks say, and one declaration file for each.
 *
 * Inlined workspace packages must be built. An entry
 * named after an inlined package, such as `./effect`, is a bridge: the modules that only bridges reach import that package
 * instead of inlining it, and they share every other module with the other entries.
 */
export const buildStandalone = async (
  folder: string,
  { chunks, compact = false, define = {}, inlined }: StandaloneOptions
): Promise<void> => {
  compile(folder)
  const dir = join(folder, "dist")
  const entries = entriesOf(folder)
  const named = (files: typeof entries) =>
    Object.fromEntries(files.map(({ file }) => [relative("src", file).replace(/\.ts$/, ""), join(folder, file)]))
  const isBridge = ({ subpath }: (typeof entries)[number]) => inlined.some((name) => subpath === `./${name}`)
  const standalone = entries.filter((entry) => !isBridge(entry))
  const settings: InputOptions = {
    platform: "neutral",
    tsconfig: false,
    // Chunks may not pull in the modules that they import, so that each file holds what its name says.
    preserveEntrySignatures: "allow-extension",
    transform: { target: "es2022", define },
    // No module of the library, and none of the inlined packages, has a getter with an effect.
    treeshake: { propertyReadSideEffects: false },
    external: (id) => isExternal(inlined, id)
  }
  const shared = await reachedBy({ ...settings, input: named(standalone) })

  const bundle = await rolldown({
    ...settings,
    input: named(entries),
    external: (id, importer = "") =>
      isExternal(inlined, id) ||
      (isOneOf(inlined, id) && importer.startsWith(join(folder, "src")) && !shared.has(importer))
  })
  const { output } = await bundle.write({
    dir,
    format: "esm",
    comments: { legal: true, annotation: true, jsdoc: false },
    minify: compact && { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name].js",
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: chunks.map(({ modules, name }, index) => ({
        name,
        // A bridge must not become part of a file that other entries load.
        test: (id) => modules.test(id) && shared.has(id),
        priority: chunks.length - index,
        minSize: 0
      }))
    }
  })
  await bundle.close()
  const notices = noticesOf(output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : [])))
  if (notices !== undefined) writeFileSync(join(dir, noticesFile), notices)

  const declarationOf = ({ file }: (typeof entries)[number]) => relative("src", file).replace(/\.ts$/, ".d.ts")
  await bundleDeclarations(
    folder,
    { standalone: standalone.map(declarationOf), bridges: entries.filter(isBridge).map(declarationOf) },
    inlined
  )
}
