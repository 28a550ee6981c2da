/**
 * Type errors, completion and types at a position, from the declarations that the libraries publish.
 */
// Version 7 of the compiler has no API for programs.
import ts from "typescript-5"
import type { Sources } from "./Program.ts"

/** A part of the code, by positions. */
interface Span {
  readonly from: number
  readonly to: number
}

/** A type error. */
export interface TypeProblem extends Span {
  readonly message: string
  readonly severity: "error" | "hint"
}

/** A name that can be typed at a position. */
export interface Completion {
  readonly label: string
  readonly kind: string
}

/** The type of what is at a position, and its documentation. */
export interface TypeAt extends Span {
  readonly text: string
  readonly documentation: string
}

/** Answers about one program at a time. */
export interface TypeService {
  readonly problems: (sources: Sources) => ReadonlyArray<TypeProblem>
  readonly completions: (sources: Sources, position: number) => ReadonlyArray<Completion>
  readonly details: (sources: Sources, position: number, label: string) => string
  readonly typeAt: (sources: Sources, position: number) => TypeAt | undefined
}

const programFile = "/program.ts"

const globalsFile = "/globals.d.ts"

const globals = "declare const process: { readonly env: Readonly<Record<string, string | undefined>> }"

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  lib: ["lib.esnext.d.ts", "lib.webworker.d.ts"],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  noEmit: true
}

/** Makes the service; `declarations` has the text of each file, libraries of the compiler in `/lib`. */
export const makeTypeService = (declarations: ReadonlyMap<string, string>): TypeService => {
  let program = ""
  let version = 0
  const read = (file: string): string | undefined => {
    if (file === programFile) return program
    return file === globalsFile ? globals : declarations.get(file)
  }
  const snapshots = new Map<string, ts.IScriptSnapshot>()
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => options,
    getCurrentDirectory: () => "/",
    getDefaultLibFileName: () => "/lib/lib.esnext.d.ts",
    getScriptFileNames: () => [programFile, globalsFile],
    getScriptVersion: (file) => (file === programFile ? String(version) : "1"),
    getScriptSnapshot: (file) => {
      const known = snapshots.get(file)
      if (known !== undefined) return known
      const text = read(file)
      if (text === undefined) return undefined
      const made = ts.ScriptSnapshot.fromString(text)
      snapshots.set(file, made)
      return made
    },
    fileExists: (file) => read(file) !== undefined,
    readFile: read,
    directoryExists: (folder) => [...declarations.keys()].some((file) => file.startsWith(`${folder}/`))
  }
  const service = ts.createLanguageService(host)

  /** Sets the program; returns how many characters are above the example. */
  const open = ({ before, code }: Sources): number => {
    const above = before === "" ? "" : `${before}\n`
    if (program !== above + code) {
      program = above + code
      version += 1
      snapshots.delete(programFile)
    }
    return above.length
  }

  return {
    problems: (sources) => {
      const above = open(sources)
      return [
        ...service.getSyntacticDiagnostics(programFile),
        ...service.getSemanticDiagnostics(programFile),
        ...service.getSuggestionDiagnostics(programFile).filter(({ reportsDeprecated }) => reportsDeprecated)
      ]
        .map(({ category, length = 0, messageText, start = 0 }) => ({
          from: start - above,
          to: start - above + length,
          message: ts.flattenDiagnosticMessageText(messageText, "\n"),
          severity: category === ts.DiagnosticCategory.Error ? ("error" as const) : ("hint" as const)
        }))
        .filter(({ from }) => from >= 0)
    },
    completions: (sources, position) => {
      const above = open(sources)
      const found = service.getCompletionsAtPosition(programFile, above + position, {})
      return (found?.entries ?? [])
        .toSorted((one, other) => (one.sortText < other.sortText ? -1 : 1))
        .slice(0, 300)
        .map(({ kind, name }) => ({ label: name, kind }))
    },
    details: (sources, position, label) => {
      const above = open(sources)
      const found = service.getCompletionEntryDetails(
        programFile,
        above + position,
        label,
        {},
        undefined,
        {},
        undefined
      )
      return found === undefined
        ? ""
        : `${ts.displayPartsToString(found.displayParts)}\n\n${ts.displayPartsToString(found.documentation)}`.trim()
    },
    typeAt: (sources, position) => {
      const above = open(sources)
      const found = service.getQuickInfoAtPosition(programFile, above + position)
      return (
        found && {
          from: found.textSpan.start - above,
          to: found.textSpan.start - above + found.textSpan.length,
          text: ts.displayPartsToString(found.displayParts),
          documentation: ts.displayPartsToString(found.documentation)
        }
      )
    }
  }
}
