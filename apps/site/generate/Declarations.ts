/**
 * The public exports of the libraries, from the declaration files that are published.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
// Version 7 of the compiler has no API for programs yet.
import ts from "typescript-5"
import { repository } from "./Sources.ts"

/** The kind of an export, in a word. */
export type Kind = "class" | "constant" | "function" | "interface" | "module" | "type"

/** An export with its documentation. */
export interface Export {
  /** Name as users write it, e.g. `createFake` or `Fault.status`. */
  readonly name: string
  readonly kind: Kind
  /** The declaration as published, without the comment above it; empty for a module. */
  readonly declaration: string
  /** Text of the doc comment. */
  readonly documentation: string
  readonly examples: ReadonlyArray<string>
  /** `@throws`, `@deprecated` and the like, each with its text. */
  readonly tags: ReadonlyArray<readonly [name: string, text: string]>
  /** The entry point that documents it, where this one re-exports it. */
  readonly from: string | undefined
}

/** An entry point of a library. */
export interface EntryPoint {
  /** The module specifier that users import, e.g. `@signalbox/core/Events`. */
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
export const entryFiles = (): ReadonlyMap<string, string> => {
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

/** Names of a class that every error has, or that no user needs. */
const unlisted = new Set(["cause", "name", "stack", "toJSON"])

/**
 * A tagged error with its properties: the compiler writes them as a type argument of a base class that is not exported.
 * `undefined` for any other class.
 */
const taggedErrorOf = (checker: ts.TypeChecker, node: ts.Declaration): string | undefined => {
  if (!ts.isClassDeclaration(node) || node.name === undefined || node.heritageClauses === undefined) return undefined
  const type = checker.getTypeAtLocation(node)
  if (type.getProperty("_tag") === undefined) return undefined
  const properties = type.getProperties().filter(({ name }) => !unlisted.has(name) && !/^(?:#|__)/.test(name))
  const lines = properties.flatMap((property) => {
    const own = checker.getTypeOfSymbolAtLocation(property, node)
    const printed = checker.typeToString(own, node, ts.TypeFormatFlags.NoTruncation)
    // A union of the instances of a list of classes: the program has no standard library that could say so.
    const text = property.name === "reason" && /\bany\b/.test(printed) ? "Reason" : printed
    const comment = ts.displayPartsToString(property.getDocumentationComment(checker)).replaceAll(/\s+/g, " ")
    const mark = property.flags & ts.SymbolFlags.Optional ? "?" : ""
    const line = `  readonly ${property.name}${mark}: ${text}`
    return comment === "" ? line : [`  /** ${comment} */`, line]
  })
  return [`class ${node.name.text} extends Error {`, ...lines, "}"].join("\n")
}

const moduleComment = (file: ts.SourceFile): string => {
  const comment = /^\s*\/\*\*(.*?)\*\/\s*(?:import|export|\/\*\*)/s.exec(file.text)?.[1] ?? ""
  const text = comment.replaceAll(/^\s*\* ?/gm, "").trim()
  return text.replace(/\n@\w+[\s\S]*$/, "").replace(/^@\w+[\s\S]*$/, "")
}

const isOurs = (file: string): boolean => file.startsWith(join(repository, "packages"))

const kindOf = (node: ts.Declaration): Kind => {
  if (ts.isSourceFile(node) || ts.isModuleDeclaration(node)) return "module"
  if (ts.isFunctionDeclaration(node)) return "function"
  if (ts.isClassDeclaration(node)) return "class"
  if (ts.isInterfaceDeclaration(node)) return "interface"
  if (ts.isTypeAliasDeclaration(node)) return "type"
  return ts.isVariableDeclaration(node) && node.type !== undefined && ts.isFunctionTypeNode(node.type)
    ? "function"
    : "constant"
}

/** A value and a type with one name are one export: it is what its value is. */
const kindOfAll = (declarations: ReadonlyArray<ts.Declaration>): Kind => {
  const kinds = declarations.map(kindOf)
  return kinds.find((kind) => kind !== "type" && kind !== "interface") ?? kinds[0] ?? "constant"
}

/** The declarations of the SDK contain those of core that it uses: the SDK documents both. */
const withoutRepeats = (entries: ReadonlyArray<EntryPoint>): ReadonlyArray<EntryPoint> => {
  const home = "@signalbox/sdk"
  const keyOf = ({ documentation, kind, name }: Export): string => [name, kind, documentation].join("\n")
  const sdk = entries.find(({ specifier }) => specifier === home)?.exports ?? []
  const documented = new Set(sdk.filter(({ from, kind }) => from === undefined && kind !== "module").map(keyOf))
  const linked = (one: Export): Export =>
    one.from === undefined && documented.has(keyOf(one)) ? { ...one, from: home } : one
  return entries.map((entry) => (entry.specifier === home ? entry : { ...entry, exports: entry.exports.map(linked) }))
}

/** All entry points of all libraries. */
export const entryPoints = (): ReadonlyArray<EntryPoint> => {
  const files = entryFiles()
  const program = programOf(files)
  const checker = program.getTypeChecker()
  const entries = [...files].flatMap(([specifier, file]) => {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    return source === undefined || module === undefined ? [] : [{ specifier, source, module }]
  })
  const targetOf = (symbol: ts.Symbol): ts.Symbol =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol

  // An export of several entry points is documented by the one that declares it, otherwise by the first.
  const homes = new Map<ts.Symbol, string>(entries.map(({ module, specifier }) => [module, specifier]))
  const claim = (isDeclaredThere: boolean): void => {
    for (const { module, source, specifier } of entries) {
      for (const symbol of checker.getExportsOfModule(module)) {
        const target = targetOf(symbol)
        const isThere = target.declarations?.[0]?.getSourceFile() === source
        if (!homes.has(target) && isThere === isDeclaredThere) homes.set(target, specifier)
      }
    }
  }
  claim(true)
  claim(false)

  const exportsOf = (module: ts.Symbol, specifier: string, prefix: string): ReadonlyArray<Export> =>
    checker.getExportsOfModule(module).flatMap((symbol): ReadonlyArray<Export> => {
      const target = targetOf(symbol)
      const declarations = (target.declarations ?? []).filter((node) => isOurs(node.getSourceFile().fileName))
      const [first] = declarations
      if (first === undefined) return []
      const home = prefix === "" ? homes.get(target) : specifier
      const kind = kindOfAll(declarations)
      const comments = declarations.flatMap(commentsOf)
      const tags = comments.flatMap(({ tags = [] }) => [...tags])
      const exported: Export = {
        name: `${prefix}${symbol.name}`,
        kind,
        declaration:
          kind === "module"
            ? ""
            : declarations.map((node) => taggedErrorOf(checker, node) ?? declarationOf(node)).join("\n\n"),
        documentation: ts.isSourceFile(first)
          ? moduleComment(first)
          : comments.map(({ comment }) => textOf(comment)).join("\n\n"),
        examples: tags.filter(({ tagName }) => tagName.text === "example").map(({ comment }) => textOf(comment)),
        tags: tags
          .filter(({ tagName }) => /^(?:throws|deprecated)$/.test(tagName.text))
          .map(({ comment, tagName }) => [tagName.text, textOf(comment)] as const),
        from: home === specifier ? undefined : home
      }
      const isOwnModule = kind === "module" && home === specifier
      return [exported].concat(isOwnModule ? exportsOf(target, specifier, `${exported.name}.`) : [])
    })

  return withoutRepeats(
    entries.map(({ module, source, specifier }) => ({
      specifier,
      documentation: moduleComment(source),
      exports: exportsOf(module, specifier, "")
    }))
  )
}
