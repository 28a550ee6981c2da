/**
 * The public exports of the libraries, from the declaration files that are published.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
// Version 7 of the compiler has no API for programs yet.
import ts from "typescript-5"
import { repository } from "./Sources.ts"

/** An export with its documentation. */
export interface Export {
  /** Name as users write it, e.g. `createFake` or `Fault.status`. */
  readonly name: string
  /** The declaration as published, without the comment above it. */
  readonly declaration: string
  /** Text of the doc comment. */
  readonly documentation: string
  readonly examples: ReadonlyArray<string>
  /** `@throws`, `@deprecated` and the like, each with its text. */
  readonly tags: ReadonlyArray<readonly [name: string, text: string]>
  /** The entry point that declares it, where this one re-exports it. */
  readonly from: string | undefined
}

/** An entry point of a library. */
export interface EntryPoint {
  /** What users import, e.g. `@signalbox/core/Events`. */
  readonly specifier: string
  /** Text of the comment at the top of the module. */
  readonly documentation: string
  readonly exports: ReadonlyArray<Export>
}

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly publishConfig?: { readonly exports?: Readonly<Record<string, { readonly types?: string } | string | null>> }
}

/** The declaration file of each entry point of the libraries, by what users import. */
const entryFiles = (): ReadonlyMap<string, string> => {
  const files = new Map<string, string>()
  for (const name of readdirSync(join(repository, "packages")).sort()) {
    const folder = join(repository, "packages", name)
    if (!existsSync(join(folder, "package.json"))) continue
    const manifest: Manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    for (const [subpath, target] of Object.entries(manifest.publishConfig?.exports ?? {})) {
      if (typeof target === "object" && target?.types !== undefined && !subpath.includes("*")) {
        files.set(`${manifest.name}${subpath.slice(1)}`, join(folder, target.types))
      }
    }
  }
  return files
}

/** A program of our declaration files only: other libraries are not read. */
const programOf = (files: ReadonlyMap<string, string>): ts.Program => {
  const options: ts.CompilerOptions = { noLib: true, types: [], allowImportingTsExtensions: true, noEmit: true }
  const host = ts.createCompilerHost(options)
  host.resolveModuleNameLiterals = (literals, containing) =>
    literals.map(({ text }) => {
      const file = text.startsWith(".")
        ? join(containing, "..", text.replace(/\.(?:ts|js)$/, ".d.ts"))
        : files.get(text)
      return {
        resolvedModule:
          file === undefined || !existsSync(file)
            ? undefined
            : { resolvedFileName: file, extension: ts.Extension.Dts, isExternalLibraryImport: false }
      }
    })
  return ts.createProgram([...files.values()], options, host)
}

const textOf = (parts: string | ts.NodeArray<ts.JSDocComment> | undefined): string =>
  (ts.getTextOfJSDocComment(parts) ?? "").replaceAll(/\{@link(?:code|plain)?\s+([^}|]+?)(?:\s*\|[^}]*)?\}/g, "`$1`")

const commentsOf = (node: ts.Node): ReadonlyArray<ts.JSDoc> => {
  const holder = ts.isVariableDeclaration(node) ? node.parent.parent : node
  return ts.getJSDocCommentsAndTags(holder).filter(ts.isJSDoc)
}

const declarationOf = (node: ts.Declaration): string => {
  const whole = ts.isVariableDeclaration(node) ? node.parent.parent : node
  return whole
    .getText()
    .replace(/^export (?:declare )?/, "")
    .replace(/^declare /, "")
}

const moduleComment = (file: ts.SourceFile): string => {
  const comment = /^\s*\/\*\*(.*?)\*\/\s*(?:import|export|\/\*\*)/s.exec(file.text)?.[1] ?? ""
  const text = comment.replaceAll(/^\s*\* ?/gm, "").trim()
  return text.replace(/\n@\w+[\s\S]*$/, "").replace(/^@\w+[\s\S]*$/, "")
}

const isOurs = (file: string): boolean => file.startsWith(join(repository, "packages"))

const libraryOf = (file: string): string => relative(join(repository, "packages"), file).split(/[\\/]/)[0] ?? ""

/** All entry points of all libraries. */
export const entryPoints = (): ReadonlyArray<EntryPoint> => {
  const files = entryFiles()
  const program = programOf(files)
  const checker = program.getTypeChecker()
  const specifierOf = new Map([...files].map(([specifier, file]) => [file, specifier]))

  const exportsOf = (module: ts.Symbol, entry: string, prefix: string): ReadonlyArray<Export> =>
    checker.getExportsOfModule(module).flatMap((symbol): ReadonlyArray<Export> => {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
      const declarations = (target.declarations ?? []).filter((node) => isOurs(node.getSourceFile().fileName))
      const [first] = declarations
      if (first === undefined) return []
      const name = `${prefix}${symbol.name}`
      const file = first.getSourceFile().fileName
      const home = specifierOf.get(file)
      const isElsewhere = home !== undefined && file !== entry && libraryOf(file) !== libraryOf(entry)
      if (ts.isSourceFile(first)) {
        return isElsewhere || prefix !== "" || home !== undefined
          ? [{ name, declaration: "", documentation: "", examples: [], tags: [], from: home }]
          : exportsOf(target, entry, `${name}.`)
      }
      // A module of functions, such as `Fault`, whose declarations were bundled.
      if (ts.isModuleDeclaration(first) && prefix === "") return exportsOf(target, entry, `${name}.`)
      const comments = declarations.flatMap(commentsOf)
      const tags = comments.flatMap(({ tags = [] }) => [...tags])
      return [
        {
          name,
          declaration: declarations.map(declarationOf).join("\n\n"),
          documentation: comments.map(({ comment }) => textOf(comment)).join("\n\n"),
          examples: tags.filter(({ tagName }) => tagName.text === "example").map(({ comment }) => textOf(comment)),
          tags: tags
            .filter(({ tagName }) => /^(?:throws|deprecated)$/.test(tagName.text))
            .map(({ comment, tagName }) => [tagName.text, textOf(comment)] as const),
          from: isElsewhere ? home : undefined
        }
      ]
    })

  return [...files].flatMap(([specifier, file]) => {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    if (source === undefined || module === undefined) return []
    return [{ specifier, documentation: moduleComment(source), exports: exportsOf(module, file, "") }]
  })
}
