import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import { writeFileSync } from "node:fs"
import { recordNames } from "./writeModels.ts"
import { positionsOf } from "./writePositions.ts"
import { AnyProviderPayload, registry } from "./Registry.ts"
import { knownValuesAnnotation } from "./src/schemas/OpenEnum.ts"
import type { ParameterFields } from "./src/contract/Parameters.ts"
import { fieldsOf } from "./src/contract/ParameterSchemas.ts"
import { type Absence, type Check, emptyMeansNoneAnnotation, forbiddenAnnotation } from "./src/contract/Shape.ts"
import { recursiveSchemaOf } from "./src/schemas/Recursive.ts"
import { relaxedAnnotation } from "./src/schemas/Tolerant.ts"

const lowerFirst = (name: string) => name.charAt(0).toLowerCase() + name.slice(1)

/** The model that a response is read as, and whether it is a list of them. */
const modelOf = (ast: SchemaAST.AST): { readonly name: string; readonly isList: boolean } => {
  const item = ast._tag === "Arrays" ? ast.rest[0] : ast
  const name = item?._tag === "Objects" ? recordNames.get(item.propertySignatures) : undefined
  if (name === undefined) throw new Error("A response must be a model that models/ exports, or a list of one")
  return { name, isList: ast._tag === "Arrays" }
}

const operations = Object.values(registry).map((operation) => {
  const { isList, name } = modelOf(operation.read.ast)
  return {
    constant: `${lowerFirst(operation.name.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase()))}Wire`,
    name,
    model: isList ? `ReadonlyArray<${name}>` : name,
    operation
  }
})

/** Renders the shapes of schemas as constants, each once. */
const makeRenderer = () => {
  const constants = new Map<string, string>()
  const taken = new Set<string>()

  const constant = (wanted: string, type: string, code: string): string => {
    const known = constants.get(code)
    if (known !== undefined) return known
    let name = wanted
    for (let count = 2; taken.has(name); count++) name = `${wanted}${count}`
    taken.add(name)
    constants.set(code, name)
    lines.push(`const ${name}: ${type} = ${code}`)
    return name
  }
  const lines: Array<string> = []

  const checksOf = (ast: SchemaAST.AST): ReadonlyArray<Check> =>
    (ast.checks ?? []).flatMap(({ annotations = {} }): ReadonlyArray<Check> => {
      const { expected = "" } = annotations
      const { id, payload } = (annotations["representation"] ?? {}) as {
        readonly id?: string
        readonly payload?: object
      }
      const forbidden = annotations[forbiddenAnnotation]
      if (forbidden !== undefined) return [{ expected, not: forbidden as ReadonlyArray<string> }]
      switch (id) {
        case "effect/schema/isFinite":
          return []
        case "effect/schema/isInt":
          return [{ expected, integer: true }]
        case "effect/schema/isMinLength":
          return [{ expected, not: [""] }]
        case "effect/schema/isBetween":
        case "effect/schema/isGreaterThanOrEqualTo":
          return [{ expected, ...payload }]
        default:
          throw new Error(`No shape has the check "${expected}"`)
      }
    })

  const leafOf = (ast: SchemaAST.AST, of: "string" | "number"): string => {
    const checks = checksOf(ast)
    return checks.length === 0 ? JSON.stringify(of) : literal({ of, checks })
  }

  /** The code of a value: keys are quoted where they must be. */
  const literal = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`
    if (typeof value !== "object" || value === null) return JSON.stringify(value)
    return `{ ${Object.entries(value)
      .map(([key, part]) => `${key}: ${literal(part)}`)
      .join(", ")} }`
  }

  const unionOf = (ast: SchemaAST.Union, wanted: string): string => {
    if (ast.types.every((type) => type._tag === "Literal")) {
      return constant(
        lowerFirst(wanted),
        "OneOf",
        literal({ oneOf: ast.types.map((type) => type._tag === "Literal" && type.literal) })
      )
    }
    const members = ast.types.flatMap((type) => (type._tag === "Union" ? type.types : [type]))
    const parts = members.map((type) => shapeOf(type, wanted))
    const isDrift = ast.annotations?.[relaxedAnnotation] !== undefined
    return `{ anyOf: [${parts.join(", ")}]${isDrift ? ", nullIsDrift: true" : ""} }`
  }

  const objectOf = (ast: SchemaAST.Objects, wanted: string): string => {
    if (ast.indexSignatures.length > 0) return JSON.stringify("record")
    const name = recordNames.get(ast.propertySignatures) ?? wanted
    const identifier = ast.annotations?.["identifier"]
    const fields = ast.propertySignatures.map(({ name: field, type }) => {
      const key = String(field)
      const shape = shapeOf(type, name + key.charAt(0).toUpperCase() + key.slice(1))
      const absence = type.context?.annotations?.[relaxedAnnotation] as Absence | undefined
      if (type.context?.isOptional !== true) return `    ${key}: ${shape}`
      return `    ${key}: [${shape}${absence === undefined ? "" : `, ${literal(absence)}`}]`
    })
    const label = identifier === undefined ? "" : `  name: ${JSON.stringify(identifier)},\n`
    return constant(lowerFirst(name), "Fields", `{\n${label}  fields: {\n${fields.join(",\n")}\n  }\n}`)
  }

  const shapeOf = (ast: SchemaAST.AST, wanted: string): string => {
    const known = ast.annotations?.[knownValuesAnnotation]
    if (known instanceof Set) {
      const numbers = ast._tag === "Union" ? { numbers: true } : {}
      return constant(lowerFirst(wanted), "Known", literal({ known: [...known], ...numbers }))
    }
    const recursive = recursiveSchemaOf(ast)
    if (recursive !== undefined) {
      const { ast: enclosing } = recursive()
      const name = enclosing._tag === "Objects" ? recordNames.get(enclosing.propertySignatures) : undefined
      if (name === undefined) throw new Error("A recursive schema must be exported by a module of schemas")
      return `{ nested: () => ${lowerFirst(name)} }`
    }
    switch (ast._tag) {
      case "String":
        return leafOf(ast, "string")
      case "Number":
        return leafOf(ast, "number")
      case "Boolean":
      case "Null":
      case "Unknown":
        return JSON.stringify(ast._tag.toLowerCase())
      case "Arrays":
        if (ast.rest[0] !== undefined) {
          const empty = ast.annotations?.[emptyMeansNoneAnnotation] === true ? ", emptyMeansNone: true" : ""
          return `{ items: ${shapeOf(ast.rest[0], wanted.replace(/s$/, ""))}${empty} }`
        }
        break
      case "Objects":
        return objectOf(ast, wanted)
      case "Union":
        return unionOf(ast, wanted)
    }
    throw new Error(`No shape describes ${ast._tag} at ${wanted}`)
  }

  return { lines, literal, shapeOf }
}

const imported = [...new Set(operations.map(({ name }) => name))].toSorted().join(", ")

/** The module `reading/Shapes.ts`. */
export const shapesText = (): string => {
  const { lines, literal, shapeOf } = makeRenderer()
  for (const { constant, model, operation } of operations) {
    const stem = constant.replace("Wire", "")
    const parts = (["params", "query", "payload"] as const).flatMap((part) => {
      // Requests may have parameters that are newer than the document, whose schema lacks them.
      const schema =
        part === "query" && operation.query !== undefined
          ? Schema.Struct(fieldsOf<ParameterFields>(operation.parameters.query))
          : operation[part]
      return schema === undefined
        ? []
        : [`  ${part}: ${shapeOf(schema.ast, stem + part.charAt(0).toUpperCase() + part.slice(1))}`]
    })
    const read = `  read: ${shapeOf(operation.read.ast, model)}`
    lines.push(
      `/** The wire of the operation \`${operation.name}\`. */\nexport const ${constant}: OperationWire<${model}, ${literal(operation.name)}> = {\n  name: ${literal(operation.name)},\n  method: ${literal(operation.method)},\n  path: ${literal(operation.path)},\n  positions: ${positionsOf(operation.name)},\n${[...parts, read].join(",\n")}\n}`
    )
  }
  const byName = operations.map(({ constant, operation }) => `  ${literal(operation.name)}: ${constant}`)
  lines.push(
    `/** The wire of every operation, by its name. */\nexport const wires = {\n${byName.join(",\n")}\n} as const`
  )
  const any = shapeOf(AnyProviderPayload.ast, "anyProviderPayload")
  lines.push(
    `/** The payload of an upsert for a provider that this version need not know. */\nexport const anyProviderShape: Fields = ${any}`
  )
  return `// Generated from the schemas by \`pnpm --filter @signalbox/core run readers\`; a test compares the two.
import { ${operations
    .map(({ operation }) => positionsOf(operation.name))
    .toSorted()
    .join(", ")} } from "../contract/Positions.ts"
import type { Fields, Known, OneOf, OperationWire } from "../contract/Shape.ts"
import type { ${imported} } from "../models/Records.ts"

${lines.join("\n\n")}
`
}

/** Where it is kept. */
export const shapesFile = new URL("src/reading/Shapes.ts", import.meta.url)

if (import.meta.main) writeFileSync(shapesFile, shapesText())
