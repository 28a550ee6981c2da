import { assert, beforeAll, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript-5.9"
import { type Consumer, makeConsumer } from "./Consumer.ts"
import { packedTarballs } from "./PackedTarballs.ts"
import { catalogVersion } from "./Repository.ts"

const longest = 300

/** A program with the symbols that users of the Promise client see most. */
const program = `import { anyProvider, createClient, type CredentialsInput, failures, isSignalboxError } from "@signalbox/sdk"
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

/** What an editor shows for every name of a program, without repetitions. */
const hoversOf = (folder: string): ReadonlyArray<string> => {
  const file = join(folder, "hovers.ts")
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name) => {
      const text = name === file ? program : ts.sys.readFile(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => ({
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      types: []
    }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories
  })
  assert.deepStrictEqual(
    service.getSemanticDiagnostics(file).map(({ messageText }) => messageText),
    []
  )
  const hovers = [...program.matchAll(/[A-Za-z]\w*/g)].flatMap(({ index }) => {
    const parts = service.getQuickInfoAtPosition(file, index)?.displayParts
    return parts === undefined ? [] : [ts.displayPartsToString(parts)]
  })
  return [...new Set(hovers)]
}

describe("the hovers of the packed SDK", () => {
  const packed = packedTarballs(["sdk"])
  let consumer: Consumer

  beforeAll(() => {
    consumer = makeConsumer({
      folder: join(packed.folder, "hovers"),
      tarballs: packed.all(),
      registry: {},
      nodeVersion: catalogVersion("node")
    })
  })

  it("have at most 300 characters", () => {
    const manifest = join(consumer.folder, "node_modules", "@signalbox", "sdk", "package.json")
    assert.strictEqual(JSON.parse(readFileSync(manifest, "utf8")).name, "@signalbox/sdk")
    const hovers = hoversOf(consumer.folder)
    assert.isAtLeast(hovers.length, 30)
    assert.deepStrictEqual(
      hovers.filter((hover) => hover.length > longest),
      []
    )
  })
})
