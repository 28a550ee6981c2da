import { makeUnreadable, type Unreadable } from "./DriftEntry.ts"
import * as BodyPath from "./BodyPath.ts"
import type { Issue } from "./Issues.ts"
import { isOptional, type Shape, shapeOf } from "../contract/Shape.ts"

const valueAt = (value: unknown, segment: PropertyKey): unknown =>
  // Reading a key of anything but null and undefined is safe, and returns undefined where there is no such key.
  (value as Record<PropertyKey, unknown> | null | undefined)?.[segment]

interface Node {
  readonly shape: Shape
  /** Whether the value around it stays valid without this one. */
  readonly isRemovable: boolean
}

const childOf = (shape: Shape, segment: PropertyKey): Node | undefined => {
  if (typeof shape === "string") return undefined
  if ("items" in shape) return typeof segment === "number" ? { shape: shape.items, isRemovable: true } : undefined
  if ("fields" in shape) {
    const field = Object.hasOwn(shape.fields, segment) ? shape.fields[String(segment)] : undefined
    return field && { shape: shapeOf(field), isRemovable: isOptional(field) }
  }
  if ("anyOf" in shape) {
    for (const member of shape.anyOf) {
      const node = childOf(member, segment)
      if (node !== undefined) return node
    }
  }
  return "nested" in shape ? childOf(shape.nested(), segment) : undefined
}

/** The index of the last segment of a path whose part can be removed; -1 if no part can. */
const lastRemovable = (root: Shape, path: BodyPath.BodyPath): number => {
  let shape = root
  let last = -1
  for (const [index, segment] of path.entries()) {
    const node = childOf(shape, segment)
    if (node === undefined) break
    if (node.isRemovable) last = index
    shape = node.shape
  }
  return last
}

/** The parts to remove: a tree by path, whose leaves are the parts. */
interface Removals {
  readonly children: Map<PropertyKey, Removals>
  rules: Array<string> | undefined
}

const emptyRemovals = (): Removals => ({ children: new Map(), rules: undefined })

const removalsFor = (shape: Shape, issues: ReadonlyArray<Issue>): Removals | undefined => {
  const root = emptyRemovals()
  for (const { path, rule } of issues) {
    const end = lastRemovable(shape, path)
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
    unreadableOf(valueAt(value, segment), child, [...path, segment])
  )
}

/** A copy without the parts; a removed array element leaves `undefined` when `keepIndexes` is set. */
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

/** The rest of a value after the parts that do not fit were removed. */
export interface Salvaged {
  /** The rest, which fits. */
  readonly rest: unknown
  /** The rest with `undefined` for removed array elements, so that all indexes are those of the body. */
  readonly sparse: unknown
  readonly unreadable: ReadonlyArray<Unreadable>
}

/**
 * Removes each part that does not fit at the nearest enclosing array element or optional field.
 *
 * `undefined` when nothing removable encloses a part that does not fit. Paths start with `path`.
 */
export const salvage = (
  shape: Shape,
  value: unknown,
  issues: ReadonlyArray<Issue>,
  path: BodyPath.BodyPath
): Salvaged | undefined => {
  const removals = removalsFor(shape, issues)
  return (
    removals && {
      rest: without(value, removals, false),
      sparse: without(value, removals, true),
      unreadable: unreadableOf(value, removals, path)
    }
  )
}
