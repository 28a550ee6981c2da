import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import * as SchemaParser from "effect/SchemaParser"
import type { DriftEntry } from "../../src/reading/DriftEntry.ts"
import { knownValuesAnnotation } from "../../src/schemas/OpenEnum.ts"
import * as BodyPath from "../../src/reading/BodyPath.ts"
import { recursiveSchemaOf } from "../../src/schemas/Recursive.ts"
import { relaxedAnnotation } from "../../src/schemas/Relaxed.ts"
import { type Absence, deepestNesting, isAbsenceDrift } from "../../src/contract/Shape.ts"
import { isJsonObject } from "../../src/reading/JsonObject.ts"

/**
 * Something found, with the path that leads to it from the inside out.
 *
 * Paths are put together on the way back only: most values have no drift, and keeping a path on the way down costs
 * three times as much as the walk itself.
 */
interface Finding {
  readonly kind: "unknown-enum-value" | "unknown-field" | "missing-field"
  readonly value: string | number
  readonly trail: Array<PropertyKey>
}

/** Reports drift, and whether the value is surely what its schema decodes it to; "no" means it may still be. */
type Walker = (value: unknown, findings: Array<Finding>) => boolean

interface Field {
  readonly name: string
  readonly walk: Walker
  /** Most fields are strings: checking here saves the call. */
  readonly isText: boolean
  readonly isRequired: boolean
}

interface RelaxedField {
  readonly name: string
  readonly absence: Absence
}

const walkers = new WeakMap<SchemaAST.AST, Walker>()

const compile = (ast: SchemaAST.AST): Walker => {
  const compiled = walkers.get(ast)
  if (compiled !== undefined) return compiled
  const walker = compileNew(ast)
  walkers.set(ast, walker)
  return walker
}

const compileNew = (ast: SchemaAST.AST): Walker => {
  const known = ast.annotations?.[knownValuesAnnotation]
  return known instanceof Set ? compileKnownValues(known, compileShape(ast)) : compileShape(ast)
}

const compileShape = (ast: SchemaAST.AST): Walker => {
  const recursive = recursiveSchemaOf(ast)
  if (recursive !== undefined) return compileRecursive(recursive)
  if (ast.encoding === undefined && ast.checks === undefined) {
    switch (ast._tag) {
      case "Unknown":
        return isAnything
      case "String":
        return isString
      case "Boolean":
        return isBoolean
      case "Arrays":
        if (ast.elements.length === 0 && ast.rest[0] !== undefined) return compileArray(compile(ast.rest[0]))
        break
      case "Objects":
        if (ast.indexSignatures.length === 0) return compileObject(ast)
        if (isFreeForm(ast)) return isJsonObject
        break
      case "Union":
        return compileUnion(ast)
    }
  }
  // What is transformed is never decoded to itself.
  return ast.encoding === undefined ? SchemaParser.is(Schema.make(ast)) : isUnsure
}

/** Whether an object may have any field with any value: below it nothing is drift. */
const isFreeForm = ({ indexSignatures, propertySignatures }: SchemaAST.Objects): boolean =>
  propertySignatures.length === 0 &&
  indexSignatures.every(({ parameter, type }) => compile(parameter) === isString && compile(type) === isAnything)

const isAnything: Walker = () => true
const isUnsure: Walker = () => false
const isString: Walker = (value) => typeof value === "string"
const isBoolean: Walker = (value) => typeof value === "boolean"

const compileRecursive = (schema: () => { readonly ast: SchemaAST.AST }): Walker => {
  let walk: Walker | undefined
  let depth = 0
  return (value, findings) => {
    if (depth === deepestNesting) return false
    depth++
    const isExact = (walk ??= compile(schema().ast))(value, findings)
    depth--
    return isExact
  }
}

const compileKnownValues = (known: ReadonlySet<unknown>, walk: Walker): Walker => {
  // Records of one page repeat each other. Comparing strings costs less than to hash one that was just parsed, which a
  // look-up in the set does.
  let last: unknown
  return (value, findings) => {
    if (value === last) return true
    if (known.has(value)) {
      last = value
      return true
    }
    if (!walk(value, findings)) return false
    // An open enum accepts strings and numbers only.
    findings.push({ kind: "unknown-enum-value", value: value as string | number, trail: [] })
    return true
  }
}

const compileArray =
  (element: Walker): Walker =>
  (value, findings) => {
    if (!Array.isArray(value)) return false
    let isExact = true
    for (let index = 0; index < value.length; index++) {
      const before = findings.length
      if (!element(value[index], findings)) isExact = false
      if (findings.length > before) leadThrough(index, findings, before)
    }
    return isExact
  }

const leadThrough = (segment: PropertyKey, findings: ReadonlyArray<Finding>, from: number): void => {
  for (let index = from; index < findings.length; index++) findings[index]?.trail.push(segment)
}

const compileObject = (ast: SchemaAST.Objects): Walker => {
  const fields = new Map<string, Field>()
  const relaxed: Array<RelaxedField> = []
  let required = 0
  for (const { name, type } of ast.propertySignatures) {
    const isRequired = type.context?.isOptional !== true
    if (isRequired) required++
    const walk = compile(type)
    fields.set(String(name), { name: String(name), walk, isText: walk === isString, isRequired })
    const absence = type.context?.annotations?.[relaxedAnnotation]
    // The annotation is only ever set by `mayBeAbsent`, with a value of this type.
    if (absence !== undefined) relaxed.push({ name: String(name), absence: absence as Absence })
  }
  // The fields of the record before, in its order: most records have the same, which saves the look-up.
  const before: Array<Field | undefined> = []
  return (value, findings) => {
    if (!isJsonObject(value)) return false
    let isExact = true
    let missing = required
    let position = 0
    for (const name in value) {
      let field = before[position]
      if (field?.name !== name) {
        field = fields.get(name)
        if (field === undefined) {
          findings.push({ kind: "unknown-field", value: name, trail: [name] })
          isExact = false
          continue
        }
        before[position] = field
      }
      position++
      if (field.isRequired) missing--
      if (field.isText) {
        if (typeof value[name] !== "string") isExact = false
        continue
      }
      const found = findings.length
      if (!field.walk(value[name], findings)) isExact = false
      if (findings.length > found) leadThrough(name, findings, found)
    }
    for (const { absence, name } of relaxed) {
      if (value[name] === undefined && isAbsenceDrift(absence, value)) {
        findings.push({ kind: "missing-field", value: name, trail: [name] })
      }
    }
    return isExact && missing === 0
  }
}

const compileUnion = (ast: SchemaAST.Union): Walker => {
  const isNullDrift = ast.annotations?.[relaxedAnnotation] !== undefined
  const members = ast.types.map(compile)
  return (value, findings) => {
    if (isNullDrift && value === null) {
      findings.push({ kind: "missing-field", value: "null", trail: [] })
      return true
    }
    // A walker does nothing with a value of another kind, and no union has two members of one kind.
    for (const member of members) if (member(value, findings)) return true
    return false
  }
}

/** What a walk found. */
export interface Walk {
  /**
   * Whether the value is surely what its schema decodes it to: then decoding can be left out.
   *
   * `false` means that the value may still decode unchanged, for example without its unknown fields.
   */
  readonly isExact: boolean
  readonly drift: ReadonlyArray<DriftEntry>
}

const none: ReadonlyArray<DriftEntry> = []

/**
 * Makes the walker that finds drift in a body, and says of it whether it needs decoding at all.
 *
 * Compiled once from the schema's AST, whether or not code generation is on. Decoding with `onExcessProperty` costs two
 * to three times as much as decoding and stops at the first finding; and decoding by the interpreter of schemas costs
 * five times as much as this walk, only to copy what is right already.
 */
export const makeRecordWalker = (schema: {
  readonly ast: SchemaAST.AST
}): ((body: unknown, path?: BodyPath.BodyPath) => Walk) => {
  const walker = compile(schema.ast)
  return (body, path = []) => {
    const findings: Array<Finding> = []
    const isExact = walker(body, findings)
    return { isExact, drift: findings.length === 0 ? none : findings.map((finding) => toEntry(finding, path)) }
  }
}

const toEntry = ({ kind, trail, value }: Finding, start: BodyPath.BodyPath): DriftEntry => {
  const path = BodyPath.format([...start, ...trail.toReversed()])
  return kind === "unknown-enum-value" ? { kind, path, value } : { kind, path }
}
