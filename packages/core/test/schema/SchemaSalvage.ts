import * as Result from "effect/Result"
import type * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import type * as Schema from "effect/Schema"
import type { Unreadable } from "../../src/reading/DriftEntry.ts"
import { makeUnreadable } from "../../src/reading/DriftEntry.ts"
import * as BodyPath from "../../src/reading/BodyPath.ts"
import { recursiveSchemaOf } from "../../src/schemas/Recursive.ts"
import { deepestNesting } from "../../src/contract/Shape.ts"
import { isJsonObject } from "../../src/reading/JsonObject.ts"

/** An issue in a body, and its position. */
export interface Complaint {
  readonly path: BodyPath.BodyPath
  /** The expected value, without any value of the body. */
  readonly rule: string
}

const toIssues = SchemaIssue.makeFormatterStandardSchemaV1()

/**
 * Everything in a value that does not fit a schema.
 */
export const complaintsOf = (
  schema: Schema.ConstraintDecoder<unknown>,
  value: unknown,
  depth = 0
): ReadonlyArray<Complaint> => {
  const result = SchemaParser.decodeUnknownResult(schema)(value, { errors: "all" })
  if (Result.isSuccess(result)) return []
  return toIssues(result.failure).issues.flatMap(({ message, path }) => {
    const keys = (path ?? []).map((segment) => (typeof segment === "object" ? segment.key : segment))
    return complaintsInside(schema.ast, value, { path: keys, rule: message }, depth)
  })
}

/** A recursive value is checked by a guard, which does not report what is wrong inside it. */
const complaintsInside = (
  ast: SchemaAST.AST,
  value: unknown,
  complaint: Complaint,
  depth: number
): ReadonlyArray<Complaint> => {
  const node = nodesOf(ast, complaint.path)[complaint.path.length - 1]
  const schema = node && recursiveSchemaOf(node.ast)
  if (schema === undefined || depth === deepestNesting) return [complaint]
  const inside = complaintsOf(schema(), valueAt(value, complaint.path), depth + 1)
  // By itself the value nests less deep, and may be right.
  if (inside.length === 0) return [complaint]
  return inside.map(({ path, rule }) => ({ path: [...complaint.path, ...path], rule }))
}

/** The part of a value at a path; `undefined` if there is no such part. */
export const valueAt = (value: unknown, path: BodyPath.BodyPath): unknown =>
  // Reading a key of anything but null and undefined is safe, and returns undefined where there is no such key.
  path.reduce<unknown>((at, segment) => (at as Record<PropertyKey, unknown> | null | undefined)?.[segment], value)

/** The schema of a part of a value, and whether the value stays valid without the part. */
interface Node {
  readonly ast: SchemaAST.AST
  readonly isRemovable: boolean
}

/** The schemas along a path, one for each segment, as far as the path can be followed. */
const nodesOf = (root: SchemaAST.AST, path: BodyPath.BodyPath): ReadonlyArray<Node> => {
  const [segment, ...rest] = path
  const node = segment === undefined ? undefined : childOf(root, segment)
  return node === undefined ? [] : [node, ...nodesOf(node.ast, rest)]
}

const childOf = (ast: SchemaAST.AST, segment: PropertyKey): Node | undefined => {
  switch (ast._tag) {
    case "Arrays":
      return typeof segment === "number" && ast.rest[0] ? { ast: ast.rest[0], isRemovable: true } : undefined
    case "Objects": {
      const property = ast.propertySignatures.find(({ name }) => name === segment)
      return property && { ast: property.type, isRemovable: property.type.context?.isOptional ?? false }
    }
    case "Union":
      return ast.types.map((type) => childOf(type, segment)).find((node) => node !== undefined)
    default: {
      const schema = recursiveSchemaOf(ast)
      return schema && childOf(schema().ast, segment)
    }
  }
}

/** A part that is removed, and what is wrong in it. */
interface Part {
  readonly path: BodyPath.BodyPath
  readonly rules: Set<string>
}

const isInside = (path: BodyPath.BodyPath, part: BodyPath.BodyPath): boolean =>
  part.every((segment, index) => path[index] === segment)

/** The parts that complaints remove; `undefined` when nothing removable encloses one of them. */
const partsOf = (ast: SchemaAST.AST, complaints: ReadonlyArray<Complaint>): ReadonlyArray<Part> | undefined => {
  const lengths = complaints.map(({ path }) => nodesOf(ast, path).findLastIndex(({ isRemovable }) => isRemovable) + 1)
  if (lengths.includes(0)) return undefined
  const paths = complaints.map(({ path }, index) => path.slice(0, lengths[index]))
  const parts = new Map<string, Part>()
  for (const [index, { path, rule }] of complaints.entries()) {
    // The largest part goes, and all in it.
    const part = paths
      .filter((other) => isInside(path, other))
      .reduce((largest, other) => (other.length < largest.length ? other : largest))
    const key = BodyPath.format(part)
    const found = parts.get(key) ?? { path: part, rules: new Set() }
    parts.set(key, found)
    if (lengths[index] !== part.length) continue
    const inside = BodyPath.format(path.slice(part.length))
    found.rules.add(inside === "" ? rule : `${inside}: ${rule}`)
  }
  return [...parts.values()]
}

/** A copy without the part at a path; an array element leaves `undefined`. */
const without = (value: unknown, [segment, ...rest]: BodyPath.BodyPath): unknown => {
  const child = segment === undefined || rest.length === 0 ? undefined : without(valueAt(value, [segment]), rest)
  if (Array.isArray(value)) return value.with(Number(segment), child)
  return Object.fromEntries(
    Object.entries(Object(value)).flatMap(([key, part]) =>
      key !== segment ? [[key, part]] : child === undefined ? [] : [[key, child]]
    )
  )
}

/** A copy without the elements that are `undefined`, which JSON does not have. */
const dense = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.filter((element) => element !== undefined).map(dense)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, dense(child)]))
}

/** The rest of a value after the parts that do not decode were removed. */
export interface Salvaged {
  /** The rest, which decodes. */
  readonly rest: unknown
  /** The rest with `undefined` for removed array elements, so that all indexes are those of the body. */
  readonly sparse: unknown
  readonly unreadable: ReadonlyArray<Unreadable>
}

/**
 * Removes each part that does not decode at the nearest enclosing array element or optional field.
 *
 * `undefined` when a part is wrong that nothing removable encloses. Paths start with `start`.
 */
export const salvage = (
  schema: Schema.ConstraintDecoder<unknown>,
  value: unknown,
  complaints: ReadonlyArray<Complaint>,
  start: BodyPath.BodyPath
): Salvaged | undefined => {
  const parts = partsOf(schema.ast, complaints)
  if (parts === undefined) return undefined
  const sparse = parts.reduce((whole, { path }) => without(whole, path), value)
  const unreadable = parts.map(({ path, rules }) =>
    makeUnreadable(BodyPath.format([...start, ...path]), [...rules].join("; "), valueAt(value, path))
  )
  return { rest: dense(sparse), sparse, unreadable }
}
