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
interface Finding {
  readonly kind: "unknown-enum-value" | "unknown-field" | "missing-field"
  readonly value: string | number
  readonly trail: Array<PropertyKey>
}

/** Reports drift, and returns whether the value certainly fits its shape; `false` means it may still fit. */
type Walker = (value: unknown, findings: Array<Finding>) => boolean

interface Field {
  readonly name: string
  readonly walk: Walker
  /** Most fields are strings: checking here saves the call. */
  readonly isText: boolean
  readonly isRequired: boolean
}

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

const leaves = {
  string: isString,
  number: (value) => typeof value === "number" && Number.isFinite(value),
  boolean: (value) => typeof value === "boolean",
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
  // Records of one page repeat each other. Comparing a string costs less than hashing one that was just parsed, as a
  // lookup in the set does.
  let last: unknown
  return (value, findings) => {
    if (value === last) return true
    if (values.has(value)) {
      last = value
      return true
    }
    if (typeof value !== "string" && !(numbers === true && typeof value === "number" && Number.isFinite(value))) {
      return false
    }
    findings.push({ kind: "unknown-enum-value", value, trail: [] })
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

const compileObject = (shape: Fields): Walker => {
  const fields = new Map<string, Field>()
  const absences: Array<readonly [name: string, absence: Absence]> = []
  let required = 0
  for (const [name, field] of Object.entries(shape.fields)) {
    const isRequired = !isOptional(field)
    if (isRequired) required++
    else if (field[1] !== undefined) absences.push([name, field[1]])
    const walk = compile(shapeOf(field))
    fields.set(name, { name, walk, isText: walk === isString, isRequired })
  }
  // The fields of the previous record, in its order: most records have the same, which saves the lookup.
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
    for (const [name, absence] of absences) {
      if (value[name] === undefined && isAbsenceDrift(absence, value)) {
        findings.push({ kind: "missing-field", value: name, trail: [name] })
      }
    }
    return isExact && missing === 0
  }
}

const compileUnion = ({ anyOf, nullIsDrift }: AnyOf): Walker => {
  const members = anyOf.map(compile)
  return (value, findings) => {
    if (nullIsDrift === true && value === null) {
      findings.push({ kind: "missing-field", value: "null", trail: [] })
      return true
    }
    // A walker ignores a value of another kind, and no union has two members of the same kind.
    for (const member of members) if (member(value, findings)) return true
    return false
  }
}

/** What a walk found. */
export interface Walk {
  /**
   * Whether the value certainly fits its shape and has nothing else in it.
   *
   * `false` means that the value may still fit, for example without its unknown fields.
   */
  readonly isExact: boolean
  readonly drift: ReadonlyArray<DriftEntry>
}

const none: ReadonlyArray<DriftEntry> = []

/**
 * Makes the walker that finds drift in a body and reports whether the unchanged body fits its shape. Compiled once from
 * the shape.
 */
export const makeRecordWalker = (shape: Shape): ((body: unknown, path?: BodyPath.BodyPath) => Walk) => {
  const walker = compile(shape)
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
