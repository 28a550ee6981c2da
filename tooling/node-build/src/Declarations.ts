import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, isAbsolute, join } from "node:path"
import { type Plugin, rolldown } from "rolldown"
import { dts } from "rolldown-plugin-dts"

interface Manifest {
  readonly name: string
  readonly publishConfig: { readonly exports: Readonly<Record<string, { readonly types: string } | string | null>> }
}

/** Finds the declarations that an inlined workspace package publishes for its entries. */
const resolverOf = (folder: string, name: string): ((specifier: string) => string) => {
  const file = createRequire(join(folder, "package.json")).resolve(`${name}/package.json`)
  const manifest: Manifest = JSON.parse(readFileSync(file, "utf8"))
  return (specifier) => {
    // The repository's own entries are not published: `internal/*` is the modules of `src` by their paths.
    const internal = /\/internal\/(?<path>.+)$/u.exec(specifier)?.groups?.["path"]
    if (internal !== undefined) return join(dirname(file), "dist", `${internal}.d.ts`)
    const exported = manifest.publishConfig.exports[`.${specifier.slice(name.length)}`]
    if (typeof exported !== "object" || exported === null) throw new Error(`${specifier} is not exported`)
    return join(dirname(file), exported.types)
  }
}

const isPartOf = (name: string, specifier: string): boolean => specifier === name || specifier.startsWith(`${name}/`)

/** Types of the platform that older settings of the compiler lack; TypeScript has them since 5.2. */
const disposable = `/// <reference lib="esnext.disposable" />\n`

const usesDisposable = (declarations: string): boolean =>
  /\b(?:Async)?Disposable\b|Symbol\.(?:asyncD|d)ispose/.test(declarations.replaceAll(/\/\*[\s\S]*?\*\//g, ""))

/** Comments about modules: another comment follows, that of a declaration. */
const moduleComments = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n(?=\/\*\*)/g

/** An example in a comment: its text without the fences, and what every line of the comment begins with. */
const exampleBlocks = /\n( *\*)(?:\n\1)? @example\n\1 ```ts\n((?:\1.*\n)*?)\1 ```/g

const importsIn = (example: string): ReadonlyArray<{ readonly names: string; readonly specifier: string }> =>
  [...example.matchAll(/\bimport (?:type )?(.+?) from "([^"]+)"/g)].map(([, names = "", specifier = ""]) => ({
    names,
    specifier
  }))

/** The imports of consumers: the name of the library, and the exports of its standalone entries. */
interface Imported {
  readonly packageName: string
  readonly names: ReadonlySet<string>
}

/** Whether consumers can import everything that an import of an inlined package names. */
const isExported = (imported: string, { names }: Imported): boolean =>
  imported.startsWith("{") &&
  imported
    .slice(1, -1)
    .split(",")
    .every((name) => names.has(name.trim().replace(/^type /, "")))

/** The examples of inlined packages import the library instead; those that its consumers cannot run are left out. */
const withOwnExamples = (declarations: string, inlined: ReadonlyArray<string>, imported: Imported): string =>
  declarations.replaceAll(exampleBlocks, (block: string, _start: string, example: string) => {
    const foreign = importsIn(example).filter(({ specifier }) => inlined.some((name) => isPartOf(name, specifier)))
    if (!foreign.every(({ names }) => isExported(names, imported))) return ""
    return foreign.reduce((text, { specifier }) => text.replace(`"${specifier}"`, `"${imported.packageName}"`), block)
  })

/** Comments that the bundler prints behind the member before theirs, where the compiler does not find them. */
const misplacedComments = /(?<=[;{]) (?=\/\*\*)/g

const published = (declarations: string, inlined: ReadonlyArray<string>, imported: Imported): string => {
  const text = declarations.replaceAll(moduleComments, "").replaceAll(misplacedComments, "\n")
  const own = withOwnExamples(text, inlined, imported)
  return usesDisposable(own) ? disposable + own : own
}

/** The declarations of a library, by the entries that publish them. */
interface DeclarationEntries {
  /** Consumers of these do not have the inlined packages. */
  readonly standalone: ReadonlyArray<string>
  /** Consumers of these have them. */
  readonly bridges: ReadonlyArray<string>
}

/** Bundles the declarations of entries; `resolve` finds a module of an inlined package, `false` keeps its import. */
const bundleOf = async (
  dist: string,
  entries: ReadonlyArray<string>,
  inlined: ReadonlyArray<string>,
  resolve: (specifier: string, name: string, importer: string) => string | false
) => {
  const packages: Plugin = {
    name: "inlined-packages",
    resolveId: {
      order: "pre",
      handler(specifier, importer = "") {
        if (specifier.startsWith(".") || isAbsolute(specifier)) return null
        const name = inlined.find((own) => isPartOf(own, specifier))
        const id = name === undefined ? false : resolve(specifier, name, importer)
        // An import that nothing in the bundle needs is dropped.
        return id === false ? { id: specifier, external: true, moduleSideEffects: false } : id
      }
    }
  }
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((name) => [name.replace(/\.d\.ts$/, ""), join(dist, name)])),
    plugins: [packages, dts({ dtsInput: true, sourcemap: false })]
  })
  const { output } = await bundle.generate({ format: "esm", chunkFileNames: "chunks/[name].ts" })
  await bundle.close()
  // The plugin also leaves a module of the bundler's own, which is code.
  return output.flatMap((file) => (file.type === "chunk" && file.fileName.endsWith(".d.ts") ? [file] : []))
}

/**
 * Writes one declaration file for each entry, with the declarations of inlined workspace packages that the standalone
 * ones reach, and deletes all other declarations. Entries share what several of them need in `chunks`.
 *
 * A standalone entry that needs another inlined package is an error: a consumer would not have it.
 */
export const bundleDeclarations = async (
  folder: string,
  { bridges, standalone }: DeclarationEntries,
  inlined: ReadonlyArray<string>
): Promise<void> => {
  const dist = join(folder, "dist")
  const resolvers = new Map(
    inlined.filter((name) => name.startsWith("@signalbox/")).map((name) => [name, resolverOf(folder, name)])
  )
  const inside = (specifier: string, name: string) => resolvers.get(name)?.(specifier) ?? false
  const own = await bundleOf(dist, standalone, inlined, inside)
  for (const { code, fileName } of own) {
    const foreign = [...code.matchAll(/^import .*"(.+)"/gmu)].find(([, specifier = ""]) =>
      inlined.some((name) => isPartOf(name, specifier))
    )
    if (foreign === undefined) continue
    throw new Error(
      `${fileName} needs \`${foreign[0]}\`, which consumers do not have; mark the export as @internal, or write its type out`
    )
  }
  const shared = new Set(own.flatMap(({ moduleIds }) => moduleIds))
  const files = await bundleOf(dist, [...standalone, ...bridges], inlined, (specifier, name, importer) =>
    shared.has(importer) ? inside(specifier, name) : false
  )
  for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    if (/\.d\.ts(?:\.map)?$/.test(name)) rmSync(join(dist, name))
  }
  const { name: packageName }: Manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const names = new Set(files.filter(({ fileName }) => standalone.includes(fileName)).flatMap(({ exports }) => exports))
  for (const { code, fileName } of files) {
    // A bridge is for programs that have the inlined packages.
    const isBridge = bridges.includes(fileName)
    writeFileSync(join(dist, fileName), published(code, isBridge ? [] : inlined, { packageName, names }))
  }
}
