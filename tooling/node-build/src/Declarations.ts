import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative, sep } from "node:path"

interface Manifest {
  readonly name: string
  readonly publishConfig: { readonly exports: Readonly<Record<string, { readonly types: string } | string | null>> }
}

/** A workspace package that declarations are taken from. */
interface Source {
  readonly name: string
  readonly folder: string
  readonly manifest: Manifest
}

const sourceOf = (folder: string, name: string): Source => {
  const file = createRequire(join(folder, "package.json")).resolve(`${name}/package.json`)
  return { name, folder: dirname(file), manifest: JSON.parse(readFileSync(file, "utf8")) }
}

const importPattern = /(\bfrom\s+|\bimport\s*\(\s*|\bimport\s+)"([^"]+)"/g

const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\//g, "")

/** Types of the platform that older settings of the compiler lack; TypeScript has them since 5.2. */
const disposable = `/// <reference lib="esnext.disposable" />\n`

const isPath = (specifier: string) => specifier.startsWith(".")

/** The declarations of a library, by the entries that publish them. */
interface DeclarationEntries {
  /** Consumers of these do not have the inlined packages. */
  readonly standalone: ReadonlyArray<string>
  /** Consumers of these have them. */
  readonly bridges: ReadonlyArray<string>
}

/**
 * Copies the declarations of inlined workspace packages that the standalone entries reach to `dist/<package>`, leads the
 * imports there, and deletes the declarations that no entry reaches. An import of any other inlined package by a
 * standalone entry is an error: a consumer would not have it.
 */
export const inlineDeclarations = (
  dist: string,
  { bridges, standalone }: DeclarationEntries,
  inlined: ReadonlyArray<string>
): void => {
  const sources = inlined.filter((name) => name.startsWith("@signalbox/")).map((name) => sourceOf(dirname(dist), name))
  const seen = new Set<string>()

  const targetOf = (file: string): string => {
    const source = sources.find(({ folder }) => file.startsWith(join(folder, "dist") + sep))
    if (source === undefined) return file
    return join(dist, source.name.replace("@signalbox/", ""), relative(join(source.folder, "dist"), file))
  }

  const resolved = (file: string, specifier: string, isBridge: boolean): string | undefined => {
    if (isPath(specifier)) return join(dirname(file), specifier.replace(/\.[jt]s$/, ".d.ts"))
    if (isBridge) return undefined
    const source = sources.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`))
    if (source === undefined) {
      if (inlined.some((name) => specifier === name || specifier.startsWith(`${name}/`))) {
        throw new Error(
          `${file} imports types of ${specifier}, which consumers do not have; mark the export as @internal, or write its type out`
        )
      }
      return undefined
    }
    const exported = source.manifest.publishConfig.exports[`.${specifier.slice(source.name.length)}`]
    if (typeof exported !== "object" || exported === null) throw new Error(`${specifier} is not exported`)
    return join(source.folder, exported.types)
  }

  const visit = (file: string, isBridge: boolean): void => {
    if (seen.has(file)) return
    seen.add(file)
    const text = readFileSync(file, "utf8")
    const target = targetOf(file)
    const imports = [...withoutComments(text).matchAll(importPattern)].map(([, , specifier = ""]) => specifier)
    for (const specifier of imports) {
      const next = resolved(file, specifier, isBridge)
      if (next !== undefined) visit(next, isBridge)
    }
    const rewritten = text.replaceAll(importPattern, (whole, before: string, specifier: string) => {
      const next = imports.includes(specifier) ? resolved(file, specifier, isBridge) : undefined
      if (next === undefined) return whole
      const path = relative(dirname(target), targetOf(next))
        .replaceAll(sep, "/")
        .replace(/\.d\.ts$/, ".js")
      return `${before}"${isPath(path) ? path : `./${path}`}"`
    })
    const needsDisposable = /\b(?:Async)?Disposable\b|Symbol\.(?:asyncD|d)ispose/.test(withoutComments(text))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(
      target,
      (needsDisposable && !text.startsWith(disposable) ? disposable : "") +
        rewritten.replace(/\n?\/\/# sourceMappingURL=.*\n?$/, "\n")
    )
  }

  for (const entry of standalone) visit(join(dist, entry), false)
  for (const entry of bridges) visit(join(dist, entry), true)
  const written = new Set([...seen].map(targetOf))
  for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    const file = join(dist, name)
    if (/\.d\.ts(?:\.map)?$/.test(name) && !written.has(file)) rmSync(file)
  }
}
