import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import type { Absence } from "../contract/Shape.ts"
import { readAsOneOf, toleratedAbsenceOf, toleratedNullOf } from "../contract/Marks.ts"
import { openEnum } from "./OpenEnum.ts"
import { recursive } from "./Recursive.ts"

/**
 * The annotation of a value that the API document requires and reading does not: an {@link Absence}.
 */
export const relaxedAnnotation = "signalbox/relaxed"

/** Derived schemas of records: each field has its own copy of a record's AST, but all share the list of fields. */
const records = new Map<unknown, Schema.Top>()

const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<string | number> | undefined => {
  if (ast._tag === "Literal") {
    return typeof ast.literal === "string" || typeof ast.literal === "number" ? [ast.literal] : undefined
  }
  if (ast._tag !== "Union") return undefined
  const members = ast.types.map(literalsOf)
  return members.every((values) => values !== undefined) ? members.flat() : undefined
}

const optionalWith = (schema: Schema.Top, absence: Absence): Schema.Top =>
  Schema.optionalKey(schema).annotateKey({ [relaxedAnnotation]: absence })

const fieldOf = (field: SchemaAST.AST): Schema.Top => {
  const schema = valueOf(field)
  const tolerance = toleratedAbsenceOf(field)
  if (tolerance !== undefined) return optionalWith(schema, tolerance.absence ?? {})
  return field.context?.isOptional === true && schema.ast !== field ? Schema.optionalKey(schema) : schema
}

const recordOf = (ast: SchemaAST.Objects): Schema.Top => {
  const known = records.get(ast.propertySignatures)
  if (known !== undefined) return known
  const fields = ast.propertySignatures.map(({ name, type }) => [String(name), fieldOf(type), type] as const)
  // A record in which nothing is tolerated keeps its identifier.
  if (fields.every(([, schema, type]) => schema.ast === type)) return Schema.make(ast)
  const derived = Schema.Struct(Object.fromEntries(fields))
  records.set(ast.propertySignatures, derived)
  return derived
}

/** One record with the fields of all members; fields that not all of them require may be absent. */
const mergedOf = (members: ReadonlyArray<SchemaAST.Objects>): Schema.Top => {
  const names = [...new Set(members.flatMap((member) => member.propertySignatures.map(({ name }) => String(name))))]
  const typeOf = (member: SchemaAST.Objects, name: string) =>
    member.propertySignatures.find((signature) => signature.name === name)?.type
  const isRequiredIn = (member: SchemaAST.Objects, name: string) => {
    const type = typeOf(member, name)
    return type !== undefined && type.context?.isOptional !== true
  }
  const discriminator = names.find((name) => members.every((member) => typeOf(member, name)?._tag === "Literal"))
  if (discriminator === undefined) throw new Error("Records that are read as one need a field of literals")
  const wordsOf = (some: ReadonlyArray<SchemaAST.Objects>) =>
    some.flatMap((member) => literalsOf(typeOf(member, discriminator) ?? member) ?? []).map(String)

  const merged = names.map((name) => {
    if (name === discriminator) return [name, openEnum(wordsOf(members))] as const
    const first = members.map((member) => typeOf(member, name)).find((type) => type !== undefined)
    if (first === undefined) throw new Error(`No member has the field "${name}"`)
    const requiring = members.filter((member) => isRequiredIn(member, name))
    if (requiring.length === 0 || requiring.length === members.length) return [name, fieldOf(first)] as const
    const absence = { requiredWhere: { field: discriminator, in: wordsOf(requiring) } }
    return [name, optionalWith(valueOf(first), absence)] as const
  })
  return Schema.Struct(Object.fromEntries(merged))
}

const isRecord = (ast: SchemaAST.AST): ast is SchemaAST.Objects => ast._tag === "Objects"

const unionOf = (ast: SchemaAST.Union): Schema.Top => {
  if (readAsOneOf(ast) === undefined) {
    const members = ast.types.map(valueOf)
    return members.every((member, index) => member.ast === ast.types[index]) ? Schema.make(ast) : Schema.Union(members)
  }
  const known = records.get(ast.types)
  if (known !== undefined) return known
  const merged = mergedOf(ast.types.filter(isRecord))
  records.set(ast.types, merged)
  return merged
}

const strictValueOf = (ast: SchemaAST.AST): Schema.Top => {
  const literals = literalsOf(ast)
  if (literals !== undefined) return openEnum(literals)
  switch (ast._tag) {
    case "Objects":
      return ast.indexSignatures.length > 0 ? Schema.make(ast) : recordOf(ast)
    case "Arrays": {
      const [item] = ast.rest.map(valueOf)
      return item === undefined || item.ast === ast.rest[0] ? Schema.make(ast) : Schema.Array(item)
    }
    case "Union":
      return unionOf(ast)
    case "Suspend":
      return recursive(() => tolerant<unknown>(Schema.make(ast.thunk())))
    default:
      return Schema.make(ast)
  }
}

/** The schema of a value as reading accepts it. */
const valueOf = (ast: SchemaAST.AST): Schema.Top => {
  const schema = strictValueOf(ast)
  return toleratedNullOf(ast) === undefined ? schema : Schema.NullOr(schema).annotate({ [relaxedAnnotation]: {} })
}

/**
 * Derives the schema by which responses are read from one of the contract: every enumeration is open, and what is marked as
 * tolerated is accepted.
 *
 * The type parameter is the generated model of the same schema; both come from the same derivation.
 */
export const tolerant = <Model>(contract: Schema.Top): Schema.Codec<Model> => {
  const schema = valueOf(contract.ast)
  return (schema.ast === contract.ast ? contract : schema) as Schema.Codec<Model>
}
