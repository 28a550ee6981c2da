import type * as SchemaAST from "effect/SchemaAST"
import type { DriftEntry } from "../../DriftEntry.ts"
import { knownValuesAnnotation } from "../../OpenEnum.ts"
import * as BodyPath from "./BodyPath.ts"
import { recursiveSchemaOf } from "./Recursive.ts"
import { type IsExpected, relaxedAnnotation } from "./Relaxed.ts"
import { isJsonObject } from "../JsonObject.ts"

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

type Walker = (value: unknown, findings: Array<Finding>) => void

/** Stands for a schema below which nothing can be drift; its value needs no visit. */
const nothingBelow: Walker = () => {}

interface RelaxedField {
  readonly name: string
  readonly isExpected: IsExpected
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
  if (known instanceof Set) return compileKnownValues(known)
  switch (ast._tag) {
    case "Arrays":
      return compileArray(ast)
    case "Objects":
      // Below a free-form record nothing is drift.
      return ast.indexSignatures.length > 0 ? nothingBelow : compileObject(ast)
    case "Union":
      return compileUnion(ast)
    default: {
      const schema = recursiveSchemaOf(ast)
      return schema === undefined ? nothingBelow : (value, findings) => compile(schema().ast)(value, findings)
    }
  }
}

const compileKnownValues = (known: ReadonlySet<unknown>): Walker => {
  // Records of one page repeat each other. To compare a text costs less than to hash one that was just parsed, which a
  // look-up in the set does.
  let last: unknown
  return (value, findings) => {
    if (value === last) return
    if (known.has(value)) {
      last = value
      return
    }
    if (typeof value !== "string" && typeof value !== "number") return
    findings.push({ kind: "unknown-enum-value", value, trail: [] })
  }
}

const compileArray = (ast: SchemaAST.Arrays): Walker => {
  const element = ast.rest[0] === undefined ? nothingBelow : compile(ast.rest[0])
  if (element === nothingBelow) return nothingBelow
  return (value, findings) => {
    if (!Array.isArray(value)) return
    for (let index = 0; index < value.length; index++) {
      const before = findings.length
      element(value[index], findings)
      if (findings.length > before) leadThrough(index, findings, before)
    }
  }
}

const leadThrough = (segment: PropertyKey, findings: ReadonlyArray<Finding>, from: number): void => {
  for (let index = from; index < findings.length; index++) findings[index]?.trail.push(segment)
}

const compileObject = (ast: SchemaAST.Objects): Walker => {
  const fields = new Map<string, Walker>()
  const relaxed: Array<RelaxedField> = []
  for (const { name, type } of ast.propertySignatures) {
    fields.set(String(name), compile(type))
    const isExpected = type.context?.annotations?.[relaxedAnnotation]
    // The annotation is only ever set by `mayBeAbsent`, with a function of this type.
    if (isExpected !== undefined) relaxed.push({ name: String(name), isExpected: isExpected as IsExpected })
  }
  // The names of the record before, in its order, and their walkers: most records have the same, which saves the look-up.
  const names: Array<string> = []
  const walkersInOrder: Array<Walker> = []
  return (value, findings) => {
    if (!isJsonObject(value)) return
    let position = 0
    for (const name in value) {
      let field: Walker | undefined
      if (names[position] === name) field = walkersInOrder[position]
      else {
        field = fields.get(name)
        if (field !== undefined) {
          names[position] = name
          walkersInOrder[position] = field
        }
      }
      if (field === undefined) {
        findings.push({ kind: "unknown-field", value: name, trail: [name] })
        continue
      }
      position++
      if (field === nothingBelow) continue
      const before = findings.length
      field(value[name], findings)
      if (findings.length > before) leadThrough(name, findings, before)
    }
    for (const { isExpected, name } of relaxed) {
      if (value[name] === undefined && !isExpected(value)) {
        findings.push({ kind: "missing-field", value: name, trail: [name] })
      }
    }
  }
}

const compileUnion = (ast: SchemaAST.Union): Walker => {
  const isNullDrift = ast.annotations?.[relaxedAnnotation] !== undefined
  const members = ast.types.map(compile).filter((member) => member !== nothingBelow)
  if (members.length === 0 && !isNullDrift) return nothingBelow
  return (value, findings) => {
    if (value === null) {
      if (isNullDrift) findings.push({ kind: "missing-field", value: "null", trail: [] })
      return
    }
    // A walker does nothing with a value of another kind, and no union has two members of one kind.
    for (const member of members) member(value, findings)
  }
}

const none: ReadonlyArray<DriftEntry> = []

/**
 * Makes the walker that finds drift in a body that fits a read schema.
 *
 * Compiled once from the schema's AST, whether or not code generation is on: decoding with `onExcessProperty` costs
 * two to three times as much and stops at the first finding.
 */
export const makeDriftWalker = (schema: {
  readonly ast: SchemaAST.AST
}): ((body: unknown, path?: BodyPath.BodyPath) => ReadonlyArray<DriftEntry>) => {
  const walker = compile(schema.ast)
  return (body, path = []) => {
    const findings: Array<Finding> = []
    walker(body, findings)
    return findings.length === 0 ? none : findings.map((finding) => toEntry(finding, path))
  }
}

const toEntry = ({ kind, trail, value }: Finding, start: BodyPath.BodyPath): DriftEntry => {
  const path = BodyPath.format([...start, ...trail.toReversed()])
  return kind === "unknown-enum-value" ? { kind, path, value } : { kind, path }
}
