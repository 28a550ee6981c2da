// Writes where secrets and identifiers are in requests and responses, from the marks of the contract.
import type * as Schema from "effect/Schema"
import { writeFileSync } from "node:fs"
import { registry } from "./Registry.ts"
import { isVendorIdentifier } from "./src/contract/Marks.ts"
import { operations, type Parameter, type ParameterFields } from "./src/contract/Operations.ts"

/** The name of the constant with the positions of an operation, such as `eventsListPositions`. */
export const positionsOf = (operation: string): string =>
  `${operation.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase())}Positions`

type Position = ReadonlyArray<string>
type Ast = Schema.Top["ast"]

const below = (name: string, positions: ReadonlyArray<Position>): ReadonlyArray<Position> =>
  positions.map((position) => [name].concat(position))

/** The positions of marked fields in a response. */
const inResponse = (ast: Ast, seen: ReadonlySet<unknown> = new Set()): ReadonlyArray<Position> => {
  switch (ast._tag) {
    case "Arrays":
      return below(
        "*",
        ast.rest.flatMap((item) => inResponse(item, seen))
      )
    case "Union":
      return ast.types.flatMap((type) => inResponse(type, seen))
    case "Objects": {
      if (seen.has(ast.propertySignatures)) return []
      const within = new Set([...seen, ast.propertySignatures])
      return ast.propertySignatures.flatMap(({ name, type }) =>
        below(String(name), isVendorIdentifier(type) ? [[]] : inResponse(type, within))
      )
    }
    default:
      return []
  }
}

/** The positions of parameters in a body; `each` adds the elements of a list. */
const inBody = (
  fields: ParameterFields,
  isMarked: (parameter: Parameter) => boolean,
  each: boolean
): ReadonlyArray<Position> =>
  Object.entries(fields).flatMap(([name, parameter]) => {
    if (parameter.kind === "object") return below(name, inBody(parameter.fields, isMarked, each))
    if (!isMarked(parameter)) return []
    return [each && parameter.kind === "strings" ? [name, "*"] : [name]]
  })

/** The module `contract/Positions.ts`. */
export const positionsText = (): string => {
  const positions = Object.entries(registry).map(([name, { parameters, success }]) => {
    const { body } = parameters
    const found = {
      secrets: inBody(body, ({ secret }) => secret === true, true),
      appends: inBody(body, ({ appends }) => appends === true, false),
      identifiers: {
        request: inBody(body, ({ vendorIdentifier }) => vendorIdentifier === true, false),
        response: inResponse(success.ast)
      }
    }
    return `/** Where they are in \`${name}\`. */\nexport const ${positionsOf(name)} = ${JSON.stringify(found)} as const`
  })
  return `// Where secrets, appended lists and identifiers are in the requests and responses of each operation. One constant for each:
// a bundle keeps those of the operations that it has.
// Generated from the marks of the contract by \`pnpm --filter @signalbox/core run readers\`; a test compares the two.

${positions.join("\n\n")}

/**
 * The name of an operation, from which all other names are derived. Written out, because the declarations of the SDK would
 * otherwise have the table of facts.
 */
export type OperationName = ${Object.keys(operations)
    .map((name) => JSON.stringify(name))
    .join(" | ")}

/** The names of the operations. */
export const operationNames: ReadonlyArray<OperationName> = ${JSON.stringify(Object.keys(operations))}

/** Where they are, by the name of the operation. */
export const positions = {
${Object.keys(registry)
  .map((name) => `  ${JSON.stringify(name)}: ${positionsOf(name)}`)
  .join(",\n")}
} as const
`
}

/** Where it is kept. */
export const positionsFile = new URL("src/contract/Positions.ts", import.meta.url)

if (import.meta.main) writeFileSync(positionsFile, positionsText())
