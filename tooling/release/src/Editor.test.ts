import { assert, beforeAll, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript-5.9"
import { type Consumer, makeConsumer } from "./Consumer.ts"
import { packedTarballs } from "./PackedTarballs.ts"
import { catalogVersion } from "./Repository.ts"

const longest = 300

/** Types that list values: their hovers are as long as their lists. */
const lists = new Set([
  "ChannelProviderId",
  "KnownChannelProviderId",
  "JobProviderId",
  "KnownJobProviderId",
  "DriftEntry"
])

/** A program with the symbols that users of the Promise client see most. */
const common = `import { anyProvider, createClient, type CredentialsInput, failures, isSignalboxError } from "@signalbox/sdk"
const client = createClient({ apiKey: "key", baseUrl: "https://api.example.com" })
const page = await client.events.list({ limit: 5 })
const listing = client.events.list()
const subscriber = await client.credentials.upsert("u", { providerId: "fcm", credentials: {} })
const newer = await client.credentials.upsert("u", anyProvider("carrier-pigeon", {}))
const messages = await client.messages.markAs("u", { messageId: "m", markAs: "read" })
const marked = await client.messages.markManyAs("u", ["m"], "read")
const outcomes = client.credentials.upsertMany([])
const result = await client.events.list.result()
for await (const event of listing) {
  const { jobs, severity } = event
  const failed = failures(event)
}
if (!result.ok) {
  const failure = result.error
}
try {
} catch (error) {
  if (isSignalboxError(error)) {
    const reason = error.reason
  }
}
declare const input: CredentialsInput
`

const inProgram = (statement: string) => `import { anyProvider, createClient, type JobProviderId } from "@signalbox/sdk"
const client = createClient({ apiKey: "key", baseUrl: "https://api.example.com" })
${statement}`

/** TypeScript as an editor runs it, on one file next to the installed SDK. */
interface Editor {
  readonly file: string
  readonly service: ts.LanguageService
  /** Replaces the text of the file. */
  readonly write: (text: string) => void
}

const makeEditor = (folder: string): Editor => {
  const file = join(folder, "program.ts")
  let program = ""
  let version = 0
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: (name) => (name === file ? `${version}` : "1"),
    getScriptSnapshot: (name) => {
      const text = name === file ? program : ts.sys.readFile(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => ({
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      declaration: true,
      types: []
    }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories
  })
  const write = (text: string) => {
    program = text
    version += 1
  }
  return { file, service, write }
}

const problemsOf = ({ file, service }: Editor) =>
  service.getSemanticDiagnostics(file).map(({ messageText }) => messageText)

/** The hovers of an editor for every name of a program, without repetitions. */
const hoversOf = (editor: Editor, program: string): ReadonlyArray<string> => {
  editor.write(program)
  assert.deepStrictEqual(problemsOf(editor), [])
  const hovers = [...program.matchAll(/[A-Za-z]\w*/g)].flatMap(({ index }) => {
    const parts = editor.service.getQuickInfoAtPosition(editor.file, index)?.displayParts
    return parts === undefined ? [] : [ts.displayPartsToString(parts)]
  })
  return [...new Set(hovers)]
}

/** The completions of an editor at `|` in a statement. */
const completionsOf = ({ file, service, write }: Editor, statement: string): ReadonlyArray<string> => {
  const marked = inProgram(statement)
  write(marked.replace("|", ""))
  return service.getCompletionsAtPosition(file, marked.indexOf("|"), {})?.entries.map(({ name }) => name) ?? []
}

/** The exports of the SDK, and the checker that knows their types. */
const exportsIn = ({ file, service, write }: Editor) => {
  write(inProgram(""))
  const program = service.getProgram()
  const checker = program?.getTypeChecker()
  const [first] = program?.getSourceFile(file)?.statements ?? []
  if (checker === undefined || first === undefined || !ts.isImportDeclaration(first)) throw new Error("no program")
  const entry = checker.getSymbolAtLocation(first.moduleSpecifier)
  if (entry === undefined) throw new Error("no declarations")
  return { checker, exports: checker.getExportsOfModule(entry) }
}

const discriminants = ts.TypeFlags.StringLiteral | ts.TypeFlags.BooleanLiteral

/** Expressions for every field of a `value`, and for each member that narrowing finds in its union. */
const expressionsOf = (checker: ts.TypeChecker, type: ts.Type): ReadonlyArray<string> => {
  const fieldsOf = (one: ts.Type) =>
    checker.getPropertiesOfType(one).filter(({ name }) => /^\w+$/.test(name) && !name.startsWith("__"))
  const fields = fieldsOf(type).map(({ name }) => `value.${name}`)
  const narrowed = (type.isUnion() ? type.types : []).flatMap((member) => {
    const isKey = (one: ts.Symbol) => (checker.getTypeOfSymbol(one).flags & discriminants) !== 0
    const key = fieldsOf(member).find(isKey)
    if (key === undefined) return []
    const test = `value.${key.name} === ${checker.typeToString(checker.getTypeOfSymbol(key))}`
    return ["value", ...fieldsOf(member).map(({ name }) => `value.${name}`)].map((one) => `${test} ? ${one} : null`)
  })
  return [...fields, ...narrowed]
}

/** A program that exports what it gets from the SDK, and every field of it, without naming a type. */
const inferredExports = (editor: Editor): ReadonlyArray<string> => {
  const { checker, exports } = exportsIn(editor)
  const bodies = exports.flatMap((one) => {
    const symbol = one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one
    if (!(symbol.flags & ts.SymbolFlags.Type)) return [`of_${one.name} = sdk.${one.name}`]
    const [declaration] = symbol.declarations ?? []
    const parameters =
      declaration === undefined
        ? []
        : ts.getEffectiveTypeParameterDeclarations(declaration as ts.DeclarationWithTypeParameters)
    const of = parameters.length === 0 ? "" : `<${parameters.map(() => "any").join()}>`
    return expressionsOf(checker, checker.getDeclaredTypeOfSymbol(symbol)).map(
      (expression, at) => `${one.name}_${at} = (value: sdk.${one.name}${of}) => ${expression}`
    )
  })
  return bodies.map((body) => `export const ${body}`)
}

describe("in an editor, the packed SDK", () => {
  const packed = packedTarballs(["sdk"])
  let editor: Editor

  beforeAll(() => {
    const consumer: Consumer = makeConsumer({
      folder: join(packed.folder, "editor"),
      tarballs: packed.all(),
      registry: {},
      nodeVersion: catalogVersion("node")
    })
    editor = makeEditor(consumer.folder)
    const manifest = join(consumer.folder, "node_modules", "@signalbox", "sdk", "package.json")
    assert.strictEqual(JSON.parse(readFileSync(manifest, "utf8")).name, "@signalbox/sdk")
  })

  it("has hovers of at most 300 characters", () => {
    const names = exportsIn(editor).exports.map(({ name }) => name)
    assert.isAtLeast(names.length, 60)
    const all = `import { ${names.filter((name) => !lists.has(name)).join(", ")} } from "@signalbox/sdk"\n`
    const hovers = [...hoversOf(editor, common), ...hoversOf(editor, all)]
    assert.isAtLeast(hovers.length, 90)
    assert.deepStrictEqual(
      hovers.filter((hover) => hover.length > longest),
      []
    )
  })

  it("exports every type that a program's own declarations can need", () => {
    const statements = inferredExports(editor)
    assert.isAtLeast(statements.length, 500)
    editor.write(`import * as sdk from "@signalbox/sdk"\n${statements.join("\n")}`)
    assert.deepStrictEqual(problemsOf(editor), [])
  })

  it("explains every export, every option and every filter", () => {
    const { checker, exports } = exportsIn(editor)
    const isExplained = (symbol: ts.Symbol) => symbol.getDocumentationComment(checker).length > 0
    const symbols = exports.map((one) => (one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one))
    const inputs = /Options$|^EventFilters$|^(?:CredentialsInput|MarkAsInput|DerivedKey)$/
    const members = symbols
      .filter(({ name }) => inputs.test(name))
      .flatMap((symbol) => checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)))
    assert.isAtLeast(members.length, 60)
    assert.deepStrictEqual(
      [...symbols, ...members].filter((symbol) => !isExplained(symbol)).map(({ name }) => name),
      []
    )
  })

  it.each([
    [`void client.events.list({ severity: "|" })`, ["high", "medium", "low", "none"]],
    [`void client.events.list({ severity: ["any level", "|"] })`, ["high", "medium", "low", "none"]],
    [`void client.events.list({ channels: "|" })`, ["in_app", "email", "sms", "chat", "push"]],
    [`void client.events.list({ channels: ["any channel", "|"] })`, ["in_app", "email", "sms", "chat", "push"]],
    [`void client.credentials.upsert("u", { providerId: "|" })`, ["fcm", "apns", "slack", "grafana-on-call"]],
    [`void client.credentials.upsert("u", anyProvider("|", {}))`, ["fcm", "apns", "slack", "grafana-on-call"]],
    [`void client.messages.markAs("u", { messageId: "m", markAs: "|" })`, ["read", "seen", "unread", "unseen"]],
    [`const provider: JobProviderId = "|"`, ["sendgrid", "ses", "nexmo", "fcm"]],
    [`for await (const { severity } of client.events.list()) if (severity === "|") break`, ["high", "none"]]
  ])("completes %s", (statement, expected) => {
    assert.includeMembers([...completionsOf(editor, statement)], expected)
  })

  it("allows any string where the API document does", () => {
    const statement = `void client.events.list({ severity: ["urgent"], channels: "fax" })
void client.credentials.upsert("u", anyProvider("carrier-pigeon", { loft: 7 }))
const provider: JobProviderId = "carrier-pigeon"`
    editor.write(inProgram(statement))
    assert.deepStrictEqual(problemsOf(editor), [])
  })
})
