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

/** What is wrong in a body, and where. */
export interface Complaint {
  readonly path: BodyPath.BodyPath
  /** What was expected, without any value of the body. */
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

const valueAt = (value: unknown, path: BodyPath.BodyPath): unknown =>
  // Reading a key of anything but null and undefined is safe, and returns undefined where there is no such key.
  path.reduce<unknown>((at, segment) => (at as Record<PropertyKey, unknown> | null | undefined)?.[segment], value)

interface Node {
  readonly ast: SchemaAST.AST
  /** Whether the value around it stays valid without this one. */
  readonly isRemovable: boolean
}

/** The schemas along a path, one for each segment, as far as the path can be followed. */
const nodesOf = (root: SchemaAST.AST, path: BodyPath.BodyPath): ReadonlyArray<Node> => {
  const nodes: Array<Node> = []
  let ast = root
  for (const segment of path) {
    const node = childOf(ast, segment)
    if (node === undefined) return nodes
    nodes.push(node)
    ast = node.ast
  }
  return nodes
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
      for (const type of ast.types) {
        const node = childOf(type, segment)
        if (node !== undefined) return node
      }
      return undefined
    default: {
      const schema = recursiveSchemaOf(ast)
      return schema && childOf(schema().ast, segment)
    }
  }
}

/** The parts to remove: a tree by path, whose leaves are the parts. */
interface Removals {
  readonly children: Map<PropertyKey, Removals>
  rules: Array<string> | undefined
}

const emptyRemovals = (): Removals => ({ children: new Map(), rules: undefined })

const removalsFor = (ast: SchemaAST.AST, complaints: ReadonlyArray<Complaint>): Removals | undefined => {
  const root = emptyRemovals()
  for (const { path, rule } of complaints) {
    const nodes = nodesOf(ast, path)
    const end = nodes.findLastIndex((node) => node.isRemovable)
    if (end === -1) return undefined
    let removals = root
    for (const segment of path.slice(0, end + 1)) {
      const next = removals.children.get(segment) ?? emptyRemovals()
      removals.children.set(segment, next)
      removals = next
    }
    const inside = BodyPath.format(path.slice(end + 1))
    removals.rules ??= []
    removals.rules.push(inside === "" ? rule : `${inside}: ${rule}`)
  }
  return root
}

const unreadableOf = (value: unknown, removals: Removals, path: BodyPath.BodyPath): ReadonlyArray<Unreadable> => {
  if (removals.rules !== undefined) {
    return [makeUnreadable(BodyPath.format(path), [...new Set(removals.rules)].join("; "), value)]
  }
  return [...removals.children].flatMap(([segment, child]) =>
    unreadableOf(valueAt(value, [segment]), child, [...path, segment])
  )
}

/** A copy without the parts; with `keepIndexes`, a removed array element becomes `undefined`. */
const without = (value: unknown, removals: Removals, keepIndexes: boolean): unknown => {
  if (Array.isArray(value)) {
    return value.flatMap((element: unknown, index) => {
      const child = removals.children.get(index)
      if (child === undefined) return [element]
      if (child.rules === undefined) return [without(element, child, keepIndexes)]
      return keepIndexes ? [undefined] : []
    })
  }
  // Removals lead only through arrays and objects.
  const copy: Record<PropertyKey, unknown> = { ...(value as object) }
  for (const [segment, child] of removals.children) {
    if (child.rules === undefined) copy[segment] = without(copy[segment], child, keepIndexes)
    else delete copy[segment]
  }
  return copy
}

/** What is left of a value after the parts that do not decode were removed. */
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
 * `undefined` when a part is wrong that nothing removable encloses. Paths start with `path`.
 */
export const salvage = (
  schema: Schema.ConstraintDecoder<unknown>,
  value: unknown,
  complaints: ReadonlyArray<Complaint>,
  path: BodyPath.BodyPath
): Salvaged | undefined => {
  const removals = removalsFor(schema.ast, complaints)
  return (
    removals && {
      rest: without(value, removals, false),
      sparse: without(value, removals, true),
      unreadable: unreadableOf(value, removals, path)
    }
  )
}
