import type { DriftEntry } from "./DriftEntry.ts"
import * as BodyPath from "./BodyPath.ts"
import { isJsonObject } from "./JsonObject.ts"
import {
  type Absence,
  type AnyOf,
  deepestNesting,
  type Fields,
  isAbsenceDrift,
  isOptional,
  keeps,
  type Known,
  type Nested,
  type Shape,
  shapeOf
} from "../contract/Shape.ts"

/**
 * A difference, with the path to it from the inside out.
 *
 * Paths are built on the way back only: most values have no drift, and keeping a path on the way down costs three times
 * as much as the walk itself.
 */
type Finding = { readonly trail: Array<PropertyKey> } & (
  | { readonly kind: "unknown-enum-value"; readonly value: string | number }
  | { readonly kind: "unknown-field" | "missing-field" }
)

/** Reports drift, and returns whether the value certainly fits its shape; `false` means it may still fit. */
type Walker = (value: unknown, findings: Array<Finding>) => boolean

interface Field {
  readonly name: string
  readonly walk: Walker
  /** 1 for a required field, 0 for an optional one. */
  readonly weight: number
  /** The field that came after this one in the previous record: most records have the same order, which saves the lookup. */
  next: Field | undefined
  // Records of one page repeat each other, and comparing strings costs less than hashing one that was just parsed.
  /** The last two strings that were accepted without drift. */
  last: string | undefined
  older: string | undefined
}

const fieldOf = (name: string, walk: Walker, weight: number): Field => ({
  name,
  walk,
  weight,
  next: undefined,
  last: undefined,
  older: undefined
})

const walkers = new WeakMap<object, Walker>()

const compile = (shape: Shape): Walker => {
  if (typeof shape === "string") return leaves[shape]
  const compiled = walkers.get(shape)
  if (compiled !== undefined) return compiled
  const walker = compileNew(shape)
  walkers.set(shape, walker)
  return walker
}

const isString: Walker = (value) => typeof value === "string"

// False for every value that is not a number.
const isNumber = (value: unknown): value is number => Number.isFinite(value)

const isBoolean: Walker = (value) => typeof value === "boolean"

const leaves = {
  string: isString,
  number: isNumber,
  boolean: isBoolean,
  null: (value) => value === null,
  unknown: () => true,
  record: isJsonObject
} satisfies Record<string, Walker>

const compileNew = (shape: Exclude<Shape, string>): Walker => {
  if ("items" in shape) return compileArray(compile(shape.items))
  if ("fields" in shape) return compileObject(shape)
  if ("anyOf" in shape) return compileUnion(shape)
  if ("known" in shape) return compileKnown(shape)
  if ("nested" in shape) return compileNested(shape)
  // The kind of the value is checked before its rules; a value of another type is not in the enumeration.
  return "of" in shape
    ? (value) => typeof value === shape.of && shape.checks.every((check) => keeps(check, value as string | number))
    : (value) => shape.oneOf.includes(value as string)
}

const compileNested = ({ nested }: Nested): Walker => {
  let walk: Walker | undefined
  let depth = 0
  return (value, findings) => {
    if (depth === deepestNesting) return false
    depth++
    const isExact = (walk ??= compile(nested()))(value, findings)
    depth--
    return isExact
  }
}

const compileKnown = ({ known, numbers }: Known): Walker => {
  const values = new Set<unknown>(known)
  return (value, findings) => {
    if (values.has(value)) return true
    if (typeof value !== "string" && (numbers !== true || !isNumber(value))) return false
    findings.push({ kind: "unknown-enum-value", value, trail: [] })
    return true
  }
}

/** Walks a part of a value, and leads the paths of what it finds through the part's key or index. */
const walkPart = (walk: Walker, part: unknown, segment: PropertyKey, findings: Array<Finding>): boolean => {
  const found = findings.length
  const isExact = walk(part, findings)
  for (let index = found; index < findings.length; index++) findings[index]?.trail.push(segment)
  return isExact
}

const compileArray =
  (element: Walker): Walker =>
  (value, findings) => {
    if (!Array.isArray(value)) return false
    let isExact = true
    for (let index = 0; index < value.length; index++) {
      if (!walkPart(element, value[index], index, findings)) isExact = false
    }
    return isExact
  }

const compileObject = (shape: Fields): Walker => {
  const fields = new Map<string, Field>()
  const absences: Array<readonly [name: string, absence: Absence]> = []
  let required = 0
  for (const [name, field] of Object.entries(shape.fields)) {
    const weight = isOptional(field) ? 0 : 1
    required += weight
    if (isOptional(field) && field[1] !== undefined) absences.push([name, field[1]])
    fields.set(name, fieldOf(name, compile(shapeOf(field)), weight))
  }
  const start = fieldOf("", isString, 0)
  return (value, findings) => {
    if (!isJsonObject(value)) return false
    let isExact = true
    let missing = required
    let before = start
    for (const name in value) {
      let field = before.next
      if (field === undefined || field.name !== name) {
        field = fields.get(name)
        if (field === undefined) {
          findings.push({ kind: "unknown-field", trail: [name] })
          isExact = false
          continue
        }
        before.next = field
      }
      before = field
      missing -= field.weight
      const part = value[name]
      const isText = typeof part === "string"
      // Most fields are strings or booleans: checking them here saves the call.
      if (isText && (field.walk === isString || part === field.last || part === field.older)) continue
      if (field.walk === isBoolean && typeof part === "boolean") continue
      if (!walkPart(field.walk, part, name, findings)) isExact = false
      else if (isText && findings.length === 0) {
        field.older = field.last
        field.last = part
      }
    }
    for (const [name, absence] of absences) {
      if (value[name] === undefined && isAbsenceDrift(absence, value)) {
        findings.push({ kind: "missing-field", trail: [name] })
      }
    }
    return isExact && missing === 0
  }
}

const compileUnion = ({ anyOf, nullIsDrift }: AnyOf): Walker => {
  const members = anyOf.map(compile)
  return (value, findings) => {
    if (nullIsDrift === true && value === null) {
      findings.push({ kind: "missing-field", trail: [] })
      return true
    }
    // A walker ignores a value of another kind, and no union has two members of the same kind.
    for (const member of members) if (member(value, findings)) return true
    return false
  }
}

/** The outcome of a walk. */
export interface Walk {
  /**
   * Whether the value certainly fits its shape and has nothing else in it.
   *
   * `false` means that the value may still fit, for example without its unknown fields.
   */
  readonly isExact: boolean
  readonly drift: ReadonlyArray<DriftEntry>
}

/**
 * Makes the walker that finds drift in a body and reports whether the unchanged body fits its shape. Compiled once from
 * the shape.
 */
export const makeRecordWalker = (shape: Shape): ((body: unknown, path?: BodyPath.BodyPath) => Walk) => {
  const walker = compile(shape)
  return (body, path = []) => {
    const findings: Array<Finding> = []
    const isExact = walker(body, findings)
    return {
      isExact,
      drift: findings.map((finding) => toEntry(finding, path))
    }
  }
}

const toEntry = ({ trail, ...entry }: Finding, start: BodyPath.BodyPath): DriftEntry => ({
  ...entry,
  path: BodyPath.format([...start, ...trail.toReversed()])
})
