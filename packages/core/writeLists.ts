// Writes the lists of all operations, of their groups and of their records, so that each is named only where it is declared.
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { type OperationFacts, operations } from "./src/contract/Operations.ts"

const contract = new URL("src/contract/", import.meta.url)

/** Whether each file of the contract exports a name. */
const exportedBy = (name: string): string => {
  const declaration = new RegExp(`^export (?:const|class) ${name}\\b`, "mu")
  const file = readdirSync(contract).find((one) => declaration.test(readFileSync(new URL(one, contract), "utf8")))
  if (file === undefined) throw new Error(`No file of src/contract exports the record ${name}`)
  return file
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const unique = (names: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(names)]

/** The name of the files of an operation, and of its parts in the documentation: `events.list` as `EventsList`. */
export const sourceNameOf = (operation: string): string => operation.split(".").map(capitalized).join("")

const names = Object.keys(operations)
const groups = unique(names.map((name) => name.split(".")[0] ?? ""))
const services = groups.map(capitalized)
const records = unique(Object.values<OperationFacts>(operations).map(({ response }) => response.replace("[]", "")))

const lines = (...parts: ReadonlyArray<string | ReadonlyArray<string>>): string => `${parts.flat().join("\n")}\n`

const head =
  "// Generated from the names of the operations by `pnpm --filter @signalbox/core run readers`; a test compares the two."

/** A module whose exports of one form include those of every group, in alphabetical order. */
const withExports = (path: string, start: string, exported: ReadonlyArray<string>): string => {
  const text = readFileSync(new URL(path, import.meta.url), "utf8").split("\n")
  const isOne = (line: string) => line.startsWith(start)
  const first = text.findIndex(isOne)
  const all = unique([...text.filter(isOne), ...exported]).toSorted((one, other) => (one < other ? -1 : 1))
  return [...text.slice(0, first), ...all, ...text.slice(first).filter((line) => !isOne(line))].join("\n")
}

/** Each list as it should be, by its path. */
export const lists: Readonly<Record<string, () => string>> = {
  "src/contract/Records.ts": () =>
    lines(
      head,
      records.map((name) => `import { ${name} } from "./${exportedBy(name)}"`),
      "",
      "/** The records of responses. */",
      `export const records = { ${records.join(", ")} }`
    ),
  "src/services/Services.ts": () =>
    lines(
      head,
      services.map((name) => `import { ${name} } from "./${name}.ts"`),
      "",
      "/** The services of all groups of operations. */",
      `export type Services = ${services.join(" | ")}`,
      "",
      "/** Their layers. */",
      `export const layers = [${services.map((name) => `${name}.layer`).join(", ")}] as const`
    ),
  "src/index.ts": () =>
    withExports(
      "src/index.ts",
      "export * as ",
      services.map((name) => `export * as ${name} from "./services/${name}.ts"`)
    ),
  "../sdk/src/WholeClient.ts": () =>
    lines(
      head,
      'import { operationsOf } from "./Calls.ts"',
      groups.map(
        (group) => `import { type ${capitalized(group)}Client, ${group}Of } from "./${capitalized(group)}.ts"`
      ),
      'import type { Runner } from "./internal/Runner.ts"',
      "",
      "/** The operations of all groups. */",
      `export interface GroupsClient extends ${services.map((name) => `${name}Client`).join(", ")} {}`,
      "",
      "/** The members of the client with all operations. */",
      "export const wholeOf = (runner: Runner) => ({",
      groups.map((group) => `  ${group}: ${group}Of(runner),`),
      "  ...operationsOf(runner)",
      "})"
    ),
  "../sdk/src/index.ts": () =>
    withExports(
      "../sdk/src/index.ts",
      'export type * from "./',
      services.map((name) => `export type * from "./${name}.ts"`)
    ),
  "../test-harness/src/operations/Handlers.ts": () =>
    lines(
      head,
      'import type { OperationName } from "@signalbox/core/Operations"',
      'import type { Operate } from "./OperationResponse.ts"',
      names.map((name) => `import { operate as ${sourceNameOf(name)} } from "./${sourceNameOf(name)}.ts"`),
      "",
      "/** The handler of each operation. */",
      "export const handlers: { readonly [Name in OperationName]: Operate } = {",
      names.map((name) => `  "${name}": ${sourceNameOf(name)}`).join(",\n"),
      "}"
    )
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(lists)) writeFileSync(new URL(path, import.meta.url), text())
}
