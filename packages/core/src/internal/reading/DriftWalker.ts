import type * as SchemaAST from "effect/SchemaAST"
import type { DriftEntry } from "../../DriftEntry.ts"
import { knownValuesAnnotation } from "../../OpenEnum.ts"
import * as BodyPath from "./BodyPath.ts"
import { recursiveSchemaOf } from "./Recursive.ts"
import { type IsExpected, relaxedAnnotation } from "./Relaxed.ts"

interface Walk {
  /** Path of the value at hand; one array for the whole walk, because most values have no drift. */
  readonly path: Array<PropertyKey>
  readonly entries: Array<DriftEntry>
}

type Walker = (value: unknown, walk: Walk) => void

interface RelaxedField {
  readonly name: string
  readonly isExpected: IsExpected
}

/** `undefined` stands for a schema below which nothing can be drift. */
type Compiled = Walker | undefined

const walkers = new WeakMap<SchemaAST.AST, Compiled>()

const compile = (ast: SchemaAST.AST): Compiled => {
  if (walkers.has(ast)) return walkers.get(ast)
  const walker = compileNew(ast)
  walkers.set(ast, walker)
  return walker
}

const compileNew = (ast: SchemaAST.AST): Compiled => {
  const known = ast.annotations?.[knownValuesAnnotation]
  if (known instanceof Set) return compileKnownValues(known)
  switch (ast._tag) {
    case "Arrays":
      return compileArray(ast)
    case "Objects":
      // Below a free-form record nothing is drift.
      return ast.indexSignatures.length > 0 ? undefined : compileObject(ast)
    case "Union":
      return compileUnion(ast)
    default: {
      const schema = recursiveSchemaOf(ast)
      return schema && ((value, walk) => compile(schema().ast)?.(value, walk))
    }
  }
}

const compileKnownValues =
  (known: ReadonlySet<unknown>): Walker =>
  (value, { entries, path }) => {
    if (known.has(value) || (typeof value !== "string" && typeof value !== "number")) return
    entries.push({ kind: "unknown-enum-value", path: BodyPath.format(path), value })
  }

const compileArray = (ast: SchemaAST.Arrays): Compiled => {
  const element = ast.rest[0] && compile(ast.rest[0])
  if (element === undefined) return undefined
  return (value, walk) => {
    if (!Array.isArray(value)) return
    const depth = walk.path.length
    for (let index = 0; index < value.length; index++) {
      walk.path[depth] = index
      element(value[index], walk)
    }
    walk.path.length = depth
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const compileObject = (ast: SchemaAST.Objects): Walker => {
  const fields = new Map<string, Compiled>()
  const relaxed: Array<RelaxedField> = []
  for (const { name, type } of ast.propertySignatures) {
    fields.set(String(name), compile(type))
    const isExpected = type.context?.annotations?.[relaxedAnnotation]
    // The annotation is only ever set by `mayBeAbsent`, with a function of this type.
    if (isExpected !== undefined) relaxed.push({ name: String(name), isExpected: isExpected as IsExpected })
  }
  return (value, walk) => {
    if (!isRecord(value)) return
    const depth = walk.path.length
    for (const name in value) {
      const field = fields.get(name)
      if (field !== undefined) {
        walk.path[depth] = name
        field(value[name], walk)
      } else if (!fields.has(name)) {
        walk.path[depth] = name
        walk.entries.push({ kind: "unknown-field", path: BodyPath.format(walk.path) })
      }
      walk.path.length = depth
    }
    for (const { isExpected, name } of relaxed) {
      if (value[name] === undefined && !isExpected(value)) {
        walk.entries.push({ kind: "missing-field", path: BodyPath.format([...walk.path, name]) })
      }
    }
  }
}

const compileUnion = (ast: SchemaAST.Union): Compiled => {
  const isNullDrift = ast.annotations?.[relaxedAnnotation] !== undefined
  const members = ast.types.flatMap((type) => compile(type) ?? [])
  if (members.length === 0 && !isNullDrift) return undefined
  return (value, walk) => {
    if (value === null) {
      if (isNullDrift) walk.entries.push({ kind: "missing-field", path: BodyPath.format(walk.path) })
      return
    }
    // A walker does nothing with a value of another kind, and no union has two members of one kind.
    for (const member of members) member(value, walk)
  }
}

/**
 * Makes the walker that finds drift in a body that fits a read schema.
 *
 * Compiled once from the schema's AST, whether or not code generation is on: decoding with `onExcessProperty` costs
 * two to three times as much and stops at the first finding.
 */
export const makeDriftWalker = (schema: {
  readonly ast: SchemaAST.AST
}): ((body: unknown, path?: BodyPath.BodyPath) => Array<DriftEntry>) => {
  const walker = compile(schema.ast)
  return (body, path = []) => {
    const entries: Array<DriftEntry> = []
    walker?.(body, { path: [...path], entries })
    return entries
  }
}
