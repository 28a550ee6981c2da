import type * as SchemaAST from "effect/SchemaAST"
import { type Absence, deepestNesting, isAbsenceDrift } from "../../src/contract/Shape.ts"
import * as BodyPath from "../../src/reading/BodyPath.ts"
import type { DriftEntry } from "../../src/reading/DriftEntry.ts"
import { isJsonObject, type JsonObject } from "../../src/reading/JsonObject.ts"
import { knownValuesAnnotation } from "../../src/schemas/OpenEnum.ts"
import { recursiveSchemaOf } from "../../src/schemas/Recursive.ts"
import { relaxedAnnotation } from "../../src/schemas/Tolerant.ts"

/** Fields of a value that its schema does not declare, in the order of the value; then missing fields. */
export const driftOf = (
  ast: SchemaAST.AST,
  value: unknown,
  path: BodyPath.BodyPath,
  depth = 0
): ReadonlyArray<DriftEntry> => {
  const known = ast.annotations?.[knownValuesAnnotation]
  if (known instanceof Set) {
    return known.has(value) || !isAccepted(ast, value) ? [] : [{ kind: "unknown-enum-value", path: at(path), value }]
  }
  const recursive = recursiveSchemaOf(ast)
  if (recursive !== undefined) return depth === deepestNesting ? [] : driftOf(recursive().ast, value, path, depth + 1)
  const inside = (part: SchemaAST.AST, segment: PropertyKey, child: unknown) =>
    driftOf(part, child, [...path, segment], depth)
  switch (ast._tag) {
    case "Arrays": {
      const [element] = ast.rest
      return element !== undefined && Array.isArray(value)
        ? value.flatMap((child: unknown, index) => inside(element, index, child))
        : []
    }
    case "Objects":
      return ast.indexSignatures.length === 0 && isJsonObject(value) ? driftOfFields(ast, value, path, inside) : []
    case "Union":
      if (value === null && ast.annotations?.[relaxedAnnotation] !== undefined) {
        return [{ kind: "missing-field", path: at(path) }]
      }
      // A value of another kind has no drift, and no union has two members of one kind.
      return ast.types.flatMap((type) => driftOf(type, value, path, depth))
    default:
      return []
  }
}

const at = BodyPath.format

/** An open enumeration accepts strings, and finite numbers where it has numbers. */
const isAccepted = ({ _tag }: SchemaAST.AST, value: unknown): value is string | number =>
  typeof value === "string" || (_tag === "Union" && Number.isFinite(value))

const known = new WeakMap<SchemaAST.Objects, ReadonlyMap<PropertyKey, SchemaAST.AST>>()

/** The schema of each field. Kept: a simulation reads thousands of records. */
const typesOf = (ast: SchemaAST.Objects): ReadonlyMap<PropertyKey, SchemaAST.AST> => {
  const types = known.get(ast) ?? new Map(ast.propertySignatures.map(({ name, type }) => [name, type]))
  known.set(ast, types)
  return types
}

const driftOfFields = (
  ast: SchemaAST.Objects,
  value: JsonObject,
  path: BodyPath.BodyPath,
  inside: (part: SchemaAST.AST, segment: PropertyKey, child: unknown) => ReadonlyArray<DriftEntry>
): ReadonlyArray<DriftEntry> => {
  const types = typesOf(ast)
  const present = Object.entries(value).flatMap(([name, child]): ReadonlyArray<DriftEntry> => {
    const type = types.get(name)
    return type === undefined ? [{ kind: "unknown-field", path: at([...path, name]) }] : inside(type, name, child)
  })
  const absent = [...types].flatMap(([name, type]): ReadonlyArray<DriftEntry> => {
    // The annotation is only ever set by `mayBeAbsent`, with a value of this type.
    const absence = type.context?.annotations?.[relaxedAnnotation] as Absence | undefined
    const isDrift = absence !== undefined && value[String(name)] === undefined && isAbsenceDrift(absence, value)
    return isDrift ? [{ kind: "missing-field", path: at([...path, name]) }] : []
  })
  return [...present, ...absent]
}
